import { data } from 'react-router';
import { readMyEvaluation } from '@officium/contract/evaluations';
import { correctMyCertificate, issueMyCertificate, readMyLearning } from '@officium/contract/learner';
import { renewMyCertificate } from '@officium/contract/renewals';
import { act, loadSignedIn } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/certificate-name.page';
import { CertificateCard } from './certificate-card.tsx';
import { evaluationPath } from './evaluation-offer.tsx';
import { awaitsCertificate, type Certificate } from './learner.ts';
import { Renewal } from './renewal.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, viewer, locale } = await loadSignedIn(request, context);
  const { journeys } = await api(readMyLearning, { query: { locale } });
  const journey = journeys.find(
    ({ course, journeySlug }) => course.slug === params.course && journeySlug === params.journey,
  );
  if (!journey) throw data(null, { status: 404 });
  const evaluation = journey.completedAt
    ? await attempt(readMyEvaluation, { params: { courseSlug: params.course, journeySlug: params.journey } })
    : undefined;
  return { journey, name: viewer.name, isEvaluated: evaluation?.ok === true && evaluation.body.state === 'open' };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, locale, url } = await act(request, context);
  const path = { courseSlug: params.course, journeySlug: params.journey };
  if (fields.get('intent') === 'renew') {
    const begun = await attempt(renewMyCertificate, { params: path });
    return begun.ok ? redirectWith(url.pathname, { key: 'learning.renewal_begun' }) : begun.refusal;
  }
  const nameOnCertificate = textOf(fields, 'nameOnCertificate');
  const publicId = textOf(fields, 'publicId');
  if (publicId) {
    const corrected = await attempt(correctMyCertificate, { params: { publicId }, body: { nameOnCertificate } });
    return corrected.ok ? redirectWith(url.pathname, { key: 'learning.certificate_corrected' }) : corrected.refusal;
  }
  const issued = await attempt(issueMyCertificate, {
    params: path,
    body: { nameOnCertificate, locale },
  });
  if (!issued.ok) return issued.refusal;
  return redirectWith(url.pathname, { key: 'learning.certificate_issued' });
}

export default function CertificateName({ loaderData: { journey, name, isEvaluated }, params }: Route.ComponentProps) {
  const { t } = useText();
  const { certificate, validity } = journey;
  const shown = awaitsCertificate(journey) ? null : certificate;
  const title = shown
    ? t('learning.certificate_ready')
    : journey.completedAt
      ? t('learning.certificate_name_title')
      : t('learning.certificate_not_yet');
  return (
    <div className="page py-10 md:py-16">
      <Head title={title} isPrivate />
      <div className="max-w-read">
        <p className="eyebrow">{journey.title}</p>
        <h1 className="mt-2 text-4xl md:text-5xl">{title}</h1>
        {shown ? (
          <div className="mt-8">
            <CertificateCard certificate={shown} validity={validity} />
            <Renewal journey={journey} />
            <Correction certificate={shown} />
          </div>
        ) : journey.completedAt ? (
          <NameForm name={certificate?.nameOnCertificate ?? name} />
        ) : (
          <NotYet course={params.course} left={journey.progress.mandatoryLessons - journey.progress.completedLessons} />
        )}
        {isEvaluated ? <EvaluationPart course={params.course} journey={params.journey} /> : null}
      </div>
    </div>
  );
}

function NameForm({ name }: { name: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <>
      <p className="mt-4 text-lg text-muted">{t('learning.certificate_name_lead')}</p>
      <SmartForm className="mt-8 space-y-6">
        <Field
          name="nameOnCertificate"
          label={t('learning.certificate_name_label')}
          hint={t('learning.certificate_name_hint')}
          defaultValue={name}
          autoComplete="name"
          maxLength={100}
          dir="auto"
          required
        />
        <Button isBusy={isSubmitting}>{t('learning.certificate_issue')}</Button>
      </SmartForm>
    </>
  );
}

/** Corrects the name: a new certificate replaces the current one. */
function Correction({ certificate }: { certificate: Certificate }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <section className="mt-10">
      <h2 className="text-2xl">{t('learning.certificate_correct')}</h2>
      <p className="mt-2 text-muted">{t('learning.certificate_correct_text')}</p>
      <SmartForm className="mt-4 grid max-w-md gap-4">
        <input type="hidden" name="publicId" value={new URL(certificate.verificationUrl).pathname.split('/').at(-1)} />
        <Field
          name="nameOnCertificate"
          label={t('learning.certificate_name_label')}
          defaultValue={certificate.nameOnCertificate}
          autoComplete="name"
          maxLength={100}
          dir="auto"
          required
        />
        <p>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('learning.certificate_correct_now')}
          </Button>
        </p>
      </SmartForm>
    </section>
  );
}

function EvaluationPart({ course, journey }: { course: string; journey: string }) {
  const { t } = useText();
  return (
    <section className="mt-12 border-t border-line pt-6">
      <h2 className="text-2xl">{t('evaluation.title')}</h2>
      <p className="mt-2 mb-4 text-muted">{t('evaluation.invitation')}</p>
      <LinkButton to={evaluationPath({ course, journey })} look="secondary">
        {t('evaluation.offer')}
      </LinkButton>
    </section>
  );
}

function NotYet({ course, left }: { course: string; left: number }) {
  const { t } = useText();
  return (
    <>
      <p className="mt-4 mb-8 text-lg text-muted">
        {t('learning.certificate_lessons_left', { count: Math.max(left, 1) })}
      </p>
      <LinkButton to={`/courses/${course}`}>{t('learning.back_to_course')}</LinkButton>
    </>
  );
}
