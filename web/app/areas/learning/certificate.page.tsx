import { data, Link } from 'react-router';
import type { ReactNode } from 'react';
import { BadgeCheck, CalendarX, CircleX, Download } from 'lucide-react';
import { endonymOf, isLocale } from '@officium/i18n/locales';
import type { ReplyOf } from '@officium/contract/endpoint';
import { checkCertificateFile, revokeCertificate, verifyCertificate } from '@officium/contract/learner';
import { act, load, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Time } from '../../ui/time.tsx';
import { UtcDay } from '../../ui/validity.tsx';
import type { Route } from './+types/certificate.page';
import { useDuration } from '../../ui/duration.tsx';
import { DesignHead, Signing } from './certificate-design.tsx';
import { Credential, FileComparison, Revocation, type Checked } from './certificate-proof.tsx';

type Certificate = ReplyOf<typeof verifyCertificate>['certificate'];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { attempt, viewer } = await load(request, context);
  const found = await attempt(verifyCertificate, { params: { publicId: params.id } });
  const canRevoke = viewer?.role === 'administrator';
  if (found.ok) return data({ certificate: found.body.certificate, canRevoke });
  const isUnknown = found.failure.status === 404 || found.failure.status === 400;
  if (!isUnknown) throw data(found.failure, { status: found.failure.status });
  return data({ certificate: null, canRevoke: false }, { status: 404 });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const publicId = params.id;
  if (textOf(fields, 'intent') === 'revoke') {
    const reason = textOf(fields, 'reason') as 'other'; // an unknown value is refused by the contract
    const revoked = await attempt(revokeCertificate, { params: { publicId }, body: { reason } });
    return revoked.ok ? redirectWith(url.pathname, { key: 'learning.certificate_revoked' }) : revoked.refusal;
  }
  const file = fields.get('file');
  if (!(file instanceof File) || file.size === 0)
    return refuse({
      message: '',
      issues: [{ path: 'file', message: 'File is required' }],
      values: { intent: 'check' },
    });
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())).toString('hex');
  const compared = await attempt(checkCertificateFile, { params: { publicId, sha256 } });
  if (!compared.ok) return compared.refusal;
  const checked: Checked = { checked: compared.body.matches ? 'genuine' : 'other' };
  return checked;
}

/** Public verification page of a certificate, with every claim as recorded. */
export default function CertificatePage({ loaderData: { certificate, canRevoke }, params }: Route.ComponentProps) {
  return (
    <div className="page py-10 md:py-16">
      <div className="mx-auto max-w-read">
        {certificate ? <Known certificate={certificate} canRevoke={canRevoke} /> : <Unknown id={params.id} />}
      </div>
    </div>
  );
}

function Known({ certificate, canRevoke }: { certificate: Certificate; canRevoke: boolean }) {
  const { t } = useText();
  const isRevoked = certificate.status === 'revoked';
  return (
    <>
      <Head
        title={t('learning.certificate_of', { name: certificate.nameOnCertificate })}
        description={t('learning.certificate_description', {
          name: certificate.nameOnCertificate,
          journey: certificate.journeyTitle,
        })}
        isPrivate
      />
      <State certificate={certificate} />
      <DesignHead certificate={certificate} />
      <div className={`mt-6 border-y-2 py-8 ${certificate.status === 'valid' ? 'border-ink' : 'border-line'}`}>
        <p className="text-muted">{t('learning.certificate_awarded')}</p>
        <h1 className="mt-1 text-4xl sm:text-5xl">
          <bdi>{certificate.nameOnCertificate}</bdi>
        </h1>
        <p className="mt-5 text-muted">{t('learning.certificate_for')}</p>
        <p className="mt-1 font-serif text-2xl font-semibold">
          <bdi lang={certificate.locale}>
            {certificate.courseSlug ? (
              <Link to={`/courses/${certificate.courseSlug}`} className="link">
                {certificate.courseTitle}
              </Link>
            ) : (
              certificate.courseTitle
            )}
          </bdi>
        </p>
      </div>
      <Claims certificate={certificate} />
      <Signing certificate={certificate} />
      {isRevoked ? null : (
        <p className="no-print mt-8">
          <a href={certificate.certificateUrl} className="btn btn-secondary">
            <Icon as={Download} />
            {t('learning.certificate_pdf')}
          </a>
        </p>
      )}
      <p className="mt-8 flex items-start gap-3 text-sm text-muted">
        <Mark size={22} />
        <span>{t('learning.certificate_how', { issuer: certificate.issuer })}</span>
      </p>
      {isRevoked ? null : <Credential certificate={certificate} />}
      <FileComparison />
      {!isRevoked && canRevoke ? <Revocation /> : null}
    </>
  );
}

function State({ certificate: { status, expiresAt, revokedAt, revocationReason } }: { certificate: Certificate }) {
  const { t, rich } = useText();
  if (status === 'valid') {
    return (
      <p className="flex items-center gap-2.5 text-lg font-semibold text-success">
        <Icon as={BadgeCheck} size={26} />
        {t('learning.certificate_valid')}
      </p>
    );
  }
  if (status === 'expired' && expiresAt) {
    return (
      <p className="flex items-center gap-2.5 text-lg font-semibold">
        <Icon as={CalendarX} size={26} />
        <span>
          {rich('learning.certificate_expired_on', { date: <UtcDay value={expiresAt} /> })}
          <span className="block text-base font-normal">{t('learning.certificate_expired_text')}</span>
        </span>
      </p>
    );
  }
  return (
    <p className="flex items-center gap-2.5 text-lg font-semibold text-danger">
      <Icon as={CircleX} size={26} />
      <span>
        {revokedAt
          ? rich('learning.certificate_revoked_on', { date: <Time value={revokedAt} look="date" /> })
          : t('learning.certificate_revoked')}
        {revocationReason && revocationReason !== 'other' ? (
          <span className="block text-base font-normal">{t(`learning.revoked_${revocationReason}_text`)}</span>
        ) : null}
      </span>
    </p>
  );
}

function Claims({ certificate }: { certificate: Certificate }) {
  const { t, rich, number } = useText();
  const duration = useDuration();
  return (
    <dl className="divide-y divide-line border-b border-line">
      <Claim name={t('learning.claim_journey')}>
        <bdi lang={certificate.locale}>{certificate.journeyTitle}</bdi>
      </Claim>
      <Claim name={t('learning.claim_lessons')}>
        {t('learning.lessons_and_time', { count: certificate.lessons, time: duration(certificate.minutes) })}
      </Claim>
      {certificate.assessments.map(({ title, passMark, passedAt }) => (
        <Claim key={`${title} ${passedAt}`} name={t('learning.claim_assessment')}>
          <bdi lang={certificate.locale}>{title}</bdi>
          <span className="block text-muted">
            {rich('learning.claim_assessment_passed', {
              mark: number(passMark / 100, { style: 'percent' }),
              date: <Time value={passedAt} look="date" />,
            })}
          </span>
        </Claim>
      ))}
      <Claim name={t('learning.claim_issued')}>
        <Time value={certificate.issuedAt} look="date" />
      </Claim>
      {certificate.expiresAt ? (
        <Claim name={t('learning.claim_valid_until')}>
          <UtcDay value={certificate.expiresAt} />
        </Claim>
      ) : null}
      {certificate.follows ? (
        <Claim name={t('learning.claim_follows')}>
          <Link to={new URL(certificate.follows.verificationUrl).pathname} className="link">
            <bdi className="font-mono text-sm break-all">{certificate.follows.publicId}</bdi>
          </Link>
        </Claim>
      ) : null}
      <Claim name={t('learning.claim_issuer')}>
        <bdi>{certificate.issuer}</bdi>
      </Claim>
      {isLocale(certificate.locale) ? (
        <Claim name={t('common.language')}>
          <bdi lang={certificate.locale}>{endonymOf(certificate.locale)}</bdi>
        </Claim>
      ) : null}
      <Claim name={t('learning.claim_number')}>
        <bdi className="font-mono text-sm break-all">{certificate.publicId}</bdi>
      </Claim>
    </dl>
  );
}

function Claim({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Unknown({ id }: { id: string }) {
  const { t } = useText();
  return (
    <>
      <Head title={t('learning.certificate_unknown')} isPrivate />
      <p className="flex items-center gap-2.5 text-lg font-semibold text-danger">
        <Icon as={CircleX} size={26} />
        {t('learning.certificate_not_confirmed')}
      </p>
      <h1 className="mt-4 text-4xl sm:text-5xl">{t('learning.certificate_unknown')}</h1>
      <p className="mt-4 text-lg text-muted">{t('learning.certificate_unknown_text')}</p>
      <p className="mt-6 border-y border-line py-3">
        <span className="text-muted">{t('learning.claim_number')} </span>
        <bdi className="font-mono text-sm break-all">{id}</bdi>
      </p>
      <div className="mt-8">
        <LinkButton to="/courses" look="secondary">
          {t('learning.browse')}
        </LinkButton>
      </div>
    </>
  );
}
