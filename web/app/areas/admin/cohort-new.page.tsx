import { createCohort } from '@officium/contract/admin';
import { listCohortTypes } from '@officium/contract/cohorts';
import { act } from '../../server/api.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/cohort-new.page';
import { Admin } from '../../admin/admin.tsx';
import { countryChoices } from './cohort-country.ts';
import { CohortFields } from './cohort-fields.tsx';
import { cohortOf } from './cohort-form.ts';
import { UpToCohorts } from './cohort-frame.tsx';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context);
  return { ...(await api(listCohortTypes)), countries: countryChoices(locale) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const made = await attempt(createCohort, { body: { name: textOf(fields, 'name'), ...cohortOf(fields) } });
  if (!made.ok) return made.refusal;
  return redirectWith(`/admin/cohorts/${made.body.id}`, { key: 'admin.cohorts_made' });
}

export default function NewCohort({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <Admin title={t('admin.cohorts_new')} intro={t('admin.cohorts_new_text')} crumb={<UpToCohorts />}>
      <SmartForm className="grid max-w-xl gap-5">
        <GuardedDraft />
        <Field
          name="name"
          label={t('admin.cohorts_name')}
          hint={t('admin.cohorts_name_hint')}
          maxLength={256}
          required
          dir="auto"
        />
        <CohortFields types={loaderData.types} countries={loaderData.countries} />
        <div className="flex flex-wrap gap-3">
          <Button isBusy={isSubmitting}>{t('admin.cohorts_create')}</Button>
          <LinkButton to="/admin/cohorts" look="quiet">
            {t('common.cancel')}
          </LinkButton>
        </div>
      </SmartForm>
    </Admin>
  );
}
