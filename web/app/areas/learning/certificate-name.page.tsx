import { data } from 'react-router';
import { correctMyCertificate, issueMyCertificate, listMyJourneysOfCourse } from '@officium/contract/learner';
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
import type { Certificate } from './learner.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer, locale } = await loadSignedIn(request, context);
  const { journeys } = await api(listMyJourneysOfCourse, { params: { courseSlug: params.course }, query: { locale } });
  const journey = journeys.find(({ journeySlug }) => journeySlug === params.journey);
  if (!journey) throw data(null, { status: 404 });
  return { journey, name: viewer.name };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, locale, url } = await act(request, context);
  const nameOnCertificate = textOf(fields, 'nameOnCertificate');
  const publicId = textOf(fields, 'publicId');
  if (publicId) {
    const corrected = await attempt(correctMyCertificate, { params: { publicId }, body: { nameOnCertificate } });
    return corrected.ok ? redirectWith(url.pathname, { key: 'learning.certificate_corrected' }) : corrected.refusal;
  }
  const issued = await attempt(issueMyCertificate, {
    params: { courseSlug: params.course, journeySlug: params.journey },
    body: { nameOnCertificate, locale },
  });
  if (!issued.ok) return issued.refusal;
  return redirectWith(url.pathname, { key: 'learning.certificate_issued' });
}

export default function CertificateName({ loaderData: { journey, name }, params }: Route.ComponentProps) {
  const { t } = useText();
  const title = journey.certificate
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
        {journey.certificate ? (
          <div className="mt-8">
            <CertificateCard certificate={journey.certificate} />
            <Correction certificate={journey.certificate} />
          </div>
        ) : journey.completedAt ? (
          <NameForm name={name} />
        ) : (
          <NotYet course={params.course} left={journey.progress.mandatoryLessons - journey.progress.completedLessons} />
        )}
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
