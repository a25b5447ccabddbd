import { useLocation, useRouteLoaderData } from 'react-router';
import { LOCALES } from '@officium/i18n/locales';
import type { RootData } from '../root.tsx';

type Props = {
  /** Title of the page, without the name of the site. */
  title: string;
  /** One sentence; pages that may be shared have one. */
  description?: string;
  /** Address of a picture of 1200 × 630; the site's own unless given. */
  image?: string;
  type?: 'website' | 'article' | 'profile';
  /** Keep it out of search engines: pages about one person's own things. */
  isPrivate?: boolean;
};

/** Title, description, canonical and language links, and what other sites show of a shared page. */
export function Head({ title, description, image, type = 'website', isPrivate }: Props) {
  const { pathname, search } = useLocation();
  const root = useRouteLoaderData<RootData>('root');
  const origin = root?.origin ?? '';
  const query = new URLSearchParams(search);
  query.delete('locale');
  const rest = query.size ? `?${query}` : '';
  const address = `${origin}${pathname}${rest}`;
  const fullTitle = pathname === '/' ? `Officium: ${title}` : `${title} · Officium`;
  return (
    <>
      <title>{fullTitle}</title>
      {description ? <meta name="description" content={description} /> : null}
      {isPrivate ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={address} />
          {root?.viewer
            ? null
            : LOCALES.map((locale) => (
                <link
                  key={locale}
                  rel="alternate"
                  hrefLang={locale}
                  href={`${address}${rest ? '&' : '?'}locale=${locale}`}
                />
              ))}
          <link rel="alternate" hrefLang="x-default" href={address} />
          <meta property="og:site_name" content="Officium" />
          <meta property="og:type" content={type} />
          <meta property="og:title" content={title} />
          <meta property="og:url" content={address} />
          {description ? <meta property="og:description" content={description} /> : null}
          <meta property="og:image" content={image ?? `${origin}/social.png`} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}
