import { readCohort } from '@officium/contract/admin';
import { listCatalogue } from '@officium/contract/content';
import { enrolPerson } from '@officium/contract/enrolment';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { Route } from './+types/cohort-enrol.page';
import { CohortFrame } from './cohort-frame.tsx';
import { takesPeople } from './cohort-days.tsx';
import { endOfDay } from './enrolment-end.ts';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context);
  const [cohort, { courses }] = await Promise.all([
    api(readCohort, { params }),
    api(listCatalogue, { query: { locale } }),
  ]);
  return { cohort, courses: courses.map(({ slug, title }) => ({ slug, title })) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const email = textOf(fields, 'email').trim();
  const expiresOn = endOfDay(textOf(fields, 'expiresOn'));
  const slug = textOf(fields, 'course');
  const enrolled = await attempt(enrolPerson, {
    body: { email, cohortIds: [params.id], enrolments: [{ type: 'courses', slug, enrolmentMetadata: { expiresOn } }] },
  });
  if (!enrolled.ok) return enrolled.refusal;
  return redirectWith(`/admin/enrolments?${new URLSearchParams({ q: email }).toString()}`, {
    key: 'admin.enrol_done',
    values: { email },
  });
}

export default function EnrolInCohort({ loaderData }: Route.ComponentProps) {
  const { cohort, courses } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <CohortFrame cohort={cohort} tab="">
      <h2 className="text-2xl">{t('admin.enrol_title')}</h2>
      <p className="mt-1 mb-5 max-w-prose text-muted">{t('admin.enrol_text')}</p>
      {!takesPeople(cohort) ? null : (
        <SmartForm className="grid max-w-xl gap-5">
          <Field name="email" type="email" label={t('auth.email')} maxLength={254} autoComplete="off" required />
          <Select
            name="course"
            label={t('admin.content_kind_course')}
            options={courses.map(({ slug, title }) => ({ value: slug, label: title }))}
            required
          />
          <Field name="expiresOn" type="date" label={t('admin.enrol_until')} hint={t('admin.enrol_until_hint')} />
          <div className="flex flex-wrap gap-3">
            <Button isBusy={isSubmitting}>{t('admin.enrol_title')}</Button>
            <LinkButton to={`/admin/cohorts/${cohort.id}`} look="quiet">
              {t('common.cancel')}
            </LinkButton>
          </div>
        </SmartForm>
      )}
    </CohortFrame>
  );
}
