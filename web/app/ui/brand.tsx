import type { SiteLogo } from '@officium/contract/site';
import { useSite, useSiteName } from '../site.ts';
import { Mark } from './mark.tsx';

/** A longer name is set smaller, in two lines. */
const LONG_NAME = 20;

/** The site's logo, else the mark with its name. */
export function Brand({ isSmall }: { isSmall?: boolean }) {
  const site = useSite();
  const name = useSiteName();
  const height = isSmall ? 36 : 40;
  if (site?.logo)
    return (
      <>
        <Logo name={name} logo={site.logo} height={height} className={site.logoDark ? 'light-only' : ''} />
        {site.logoDark ? <Logo name={name} logo={site.logoDark} height={height} className="dark-only" /> : null}
      </>
    );
  const size = isSmall ? 'text-xl' : name.length > LONG_NAME ? 'text-base sm:text-lg' : 'text-xl sm:text-2xl';
  return (
    <span className={`flex min-w-0 items-center gap-2.5 font-serif leading-tight font-semibold ${size}`}>
      <Mark size={isSmall ? 26 : 30} />
      <bdi className="min-w-0 break-words">{name}</bdi>
    </span>
  );
}

type LogoProps = { name: string; logo: SiteLogo; height: number; className: string };

function Logo({ name, logo, height, className }: LogoProps) {
  return (
    <img
      src={`/content-assets/${logo.key}`}
      alt={name}
      width={Math.round((logo.width / logo.height) * height)}
      height={height}
      className={`h-auto max-h-10 w-auto max-w-full object-contain object-[0%_50%] rtl:object-[100%_50%] ${className}`}
    />
  );
}
