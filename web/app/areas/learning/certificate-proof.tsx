import { BadgeCheck, CircleX, FileCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActionData } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { verifyCertificate } from '@officium/contract/learner';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FieldGroup, Radio } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

type Certificate = ReplyOf<typeof verifyCertificate>['certificate'];

/** Result of checking a file. */
export type Checked = { checked: 'genuine' | 'other' };

/** The certificate as a machine-verifiable credential, for wallets and portfolios. */
export function Credential({ certificate }: { certificate: Certificate }) {
  const { t } = useText();
  return (
    <Part title={t('learning.credential')}>
      <p className="max-w-prose text-muted">{t('learning.credential_text')}</p>
      <div className="mt-4 flex flex-wrap items-center gap-6">
        <img src={certificate.badgeUrl} alt="" width={112} height={112} loading="lazy" />
        <ul className="-ms-3 no-print">
          <li>
            <a href={certificate.credentialUrl} download className="btn btn-quiet">
              {t('learning.credential_download')}
            </a>
          </li>
          <li>
            <a href={certificate.badgeUrl} download className="btn btn-quiet">
              {t('learning.credential_badge')}
            </a>
          </li>
          <li>
            <a href="/credentials/keys" className="btn btn-quiet">
              {t('learning.credential_keys')}
            </a>
          </li>
        </ul>
      </div>
    </Part>
  );
}

/** Compares a PDF with the issued ones by its fingerprint. */
export function FileComparison() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('check');
  const answer = useActionData<unknown>();
  const checked = typeof answer === 'object' && answer !== null && 'checked' in answer ? answer.checked : undefined;
  return (
    <Part title={t('learning.file_check')}>
      <p className="max-w-prose text-muted">{t('learning.file_check_text')}</p>
      <div role="status">{checked ? <Finding isGenuine={checked === 'genuine'} /> : null}</div>
      <SmartForm intent="check" encType="multipart/form-data" preventScrollReset className="mt-4 grid max-w-md gap-4">
        <Field type="file" name="file" label={t('learning.file_check_file')} accept="application/pdf" required />
        <p>
          <Button look="secondary" isBusy={isSubmitting}>
            <Icon as={FileCheck} />
            {t('learning.file_check_now')}
          </Button>
        </p>
      </SmartForm>
    </Part>
  );
}

function Finding({ isGenuine }: { isGenuine: boolean }) {
  const { t } = useText();
  return (
    <p className={`mt-4 flex items-center gap-2.5 font-semibold ${isGenuine ? 'text-success' : 'text-danger'}`}>
      <Icon as={isGenuine ? BadgeCheck : CircleX} size={22} />
      {t(isGenuine ? 'learning.file_genuine' : 'learning.file_other')}
    </p>
  );
}

const REASONS = ['issued_in_error', 'not_earned', 'other'] as const;

/** Revokes the certificate; for administrators. */
export function Revocation() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('revoke');
  return (
    <details className="no-print mt-10 border-t border-line pt-6">
      <summary className="inline-flex min-h-11 items-center font-semibold text-danger">
        {t('learning.certificate_revoke')}
      </summary>
      <p className="mt-2 max-w-prose text-muted">{t('learning.certificate_revoke_text')}</p>
      <SmartForm intent="revoke" className="mt-4 grid max-w-md gap-4">
        <FieldGroup name="reason" legend={t('learning.certificate_revoke_why')}>
          {REASONS.map((reason) => (
            <Radio key={reason} name="reason" value={reason} label={t(`learning.revoked_${reason}`)} required />
          ))}
        </FieldGroup>
        <p>
          <Button look="danger" isBusy={isSubmitting}>
            {t('learning.certificate_revoke_now')}
          </Button>
        </p>
      </SmartForm>
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10 border-t border-line pt-6">
      <h2 className="text-2xl">{title}</h2>
      <div className="mt-2">{children}</div>
    </section>
  );
}
