import type { ReplyOf } from '@officium/contract/endpoint';
import type { verifyCertificate } from '@officium/contract/learner';
import { useText } from '../../text.tsx';

type Props = { certificate: ReplyOf<typeof verifyCertificate>['certificate'] };
type Design = NonNullable<Props['certificate']['design']>;

/** The colour and the logo with which a certificate was issued. Drawn, because styles in the page are refused. */
export function DesignHead({ certificate: { design, issuer } }: Props) {
  if (!design || (!design.colour && !design.logo)) return null;
  return (
    <div className="mt-6">
      {design.colour ? (
        <svg viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" className="mb-4 h-1.5 w-full">
          <rect width="100" height="2" fill={design.colour} />
        </svg>
      ) : null}
      <Picture picture={design.logo} alt={issuer} className="max-h-16" />
    </div>
  );
}

/** The signatures and the seal. */
export function Signing({ certificate: { design, locale } }: Props) {
  const { t } = useText();
  if (!design || (design.signatures.length === 0 && !design.seal)) return null;
  return (
    <div className="mt-8 flex flex-wrap items-end gap-x-10 gap-y-6">
      {design.signatures.map(({ name, office, picture }, at) => (
        <p key={at} className="min-w-40">
          <Picture picture={picture} alt="" className="max-h-14" />
          <bdi className="mt-2 block border-t border-line pt-1 font-semibold">{name}</bdi>
          <bdi lang={locale} className="block text-sm text-muted">
            {office}
          </bdi>
        </p>
      ))}
      <Picture picture={design.seal} alt={t('certificate.pdf.seal')} className="max-h-24" />
    </div>
  );
}

/** The ground is light in every theme, because signatures are dark. */
function Picture({ picture, alt, className }: { picture: Design['seal']; alt: string; className: string }) {
  if (!picture) return null;
  return (
    <span className="inline-block rounded bg-[#fbfaf7] p-1">
      <img
        src={picture.url}
        alt={alt}
        width={picture.width}
        height={picture.height}
        className={`h-auto w-auto max-w-full ${className}`}
      />
    </span>
  );
}
