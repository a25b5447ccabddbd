import { BadgeCheck, Check, Download, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { ValidUntil, type Validity } from '../../ui/validity.tsx';
import type { Certificate } from './learner.ts';

/** The viewer's own certificate: the name on it and its actions. */
export function CertificateCard({ certificate, validity }: { certificate: Certificate; validity: Validity | null }) {
  const { rich } = useText();
  return (
    <div className="border-y-2 border-ink py-6">
      <p className="font-serif text-3xl font-semibold">
        <bdi>{certificate.nameOnCertificate}</bdi>
      </p>
      <p className="mt-1 text-muted">
        {rich('learning.certificate_issued_on', { date: <Time value={certificate.issuedAt} look="date" /> })}
        {validity ? (
          <>
            {' '}
            · <ValidUntil validity={validity} />
          </>
        ) : null}
      </p>
      <div className="mt-5">
        <CertificateLinks certificate={certificate} />
      </div>
    </div>
  );
}

/** Download, verify, share. */
export function CertificateLinks({ certificate }: { certificate: Certificate }) {
  const { t } = useText();
  const { pathname } = new URL(certificate.verificationUrl);
  return (
    <>
      <ul className="-ms-3 flex flex-wrap gap-x-1 gap-y-1">
        <li>
          <a href={certificate.certificateUrl} download className="btn btn-quiet">
            <Icon as={Download} />
            {t('learning.certificate_download')}
          </a>
        </li>
        <li>
          <Link to={pathname} className="btn btn-quiet">
            <Icon as={BadgeCheck} />
            {t('learning.certificate_verify')}
          </Link>
        </li>
        <li>
          <CopyLink address={certificate.verificationUrl} />
        </li>
      </ul>
      <p className="mt-2 text-sm text-muted noscript:block hidden">
        {t('learning.share_address')} <bdi className="break-all">{certificate.verificationUrl}</bdi>
      </p>
    </>
  );
}

/** Copies the address of the public page; without script the address is shown as text. */
function CopyLink({ address }: { address: string }) {
  const { t } = useText();
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    announce(t('learning.link_copied'));
    setTimeout(() => setCopied(false), 4000);
  }
  return (
    <button type="button" onClick={() => void copy()} className="btn btn-quiet noscript:hidden">
      <Icon as={isCopied ? Check : Link2} />
      {isCopied ? t('learning.link_copied') : t('learning.link_copy')}
    </button>
  );
}
