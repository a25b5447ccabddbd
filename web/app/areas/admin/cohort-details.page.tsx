import { readCohort, updateCohort } from '@officium/contract/admin';
import { archiveCohort, renameCohort, reopenCohort } from '@officium/contract/cohort-lifecycle';
import { listCohortTypes } from '@officium/contract/cohorts';
import { act } from '../../server/api.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/cohort-details.page';
import { countryChoices } from './cohort-country.ts';
import { CohortFields } from './cohort-fields.tsx';
import { cohortOf } from './cohort-form.ts';
import { CohortFrame } from './cohort-frame.tsx';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context);
  const [cohort, { types }] = await Promise.all([api(readCohort, { params }), api(listCohortTypes)]);
  return { cohort, types, countries: countryChoices(locale, cohort.countryCode) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const here = `/admin/cohorts/${params.id}/details`;
  const intent = textOf(fields, 'intent');
  if (intent === 'archive' || intent === 'reopen') {
    const done = await attempt(intent === 'archive' ? archiveCohort : reopenCohort, { params });
    if (!done.ok) return done.refusal;
    return redirectWith(here, {
      key: intent === 'archive' ? 'admin.cohorts_was_archived' : 'admin.cohorts_was_reopened',
    });
  }
  const saved =
    intent === 'rename'
      ? await attempt(renameCohort, { params, body: { name: textOf(fields, 'name') } })
      : await attempt(updateCohort, { params, body: cohortOf(fields) });
  return saved.ok ? redirectWith(here, { key: 'common.saved' }) : saved.refusal;
}

export default function CohortDetails({ loaderData }: Route.ComponentProps) {
  const { cohort, types, countries } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting('save');
  const known = types.includes(cohort.type) ? types : [cohort.type, ...types];
  return (
    <CohortFrame cohort={cohort} tab="/details">
      <Rename name={cohort.name} />
      <SmartForm intent="save" className="mt-10 grid max-w-xl gap-5">
        <GuardedDraft />
        <CohortFields types={known} countries={countries} cohort={cohort} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
      <Archive isArchived={cohort.archivedAt !== undefined} />
      <p className="mt-10 border-t border-line pt-8">
        <LinkButton to={`/admin/cohorts/${cohort.id}/delete`} look="danger">
          {t('admin.cohorts_delete')}…
        </LinkButton>
      </p>
    </CohortFrame>
  );
}

function Rename({ name }: { name: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('rename');
  return (
    <SmartForm intent="rename" className="flex max-w-xl flex-wrap items-end gap-3">
      <Field
        name="name"
        label={t('admin.cohorts_name')}
        hint={t('admin.cohorts_name_hint')}
        defaultValue={name}
        maxLength={256}
        required
        dir="auto"
        className="min-w-0 grow basis-64"
      />
      <Button look="secondary" isBusy={isSubmitting}>
        {t('admin.cohorts_rename')}
      </Button>
    </SmartForm>
  );
}

function Archive({ isArchived }: { isArchived: boolean }) {
  const { t } = useText();
  const intent = isArchived ? 'reopen' : 'archive';
  const { isSubmitting } = useSubmitting(intent);
  return (
    <SmartForm intent={intent} className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line pt-8">
      <Button look="secondary" isBusy={isSubmitting}>
        {t(isArchived ? 'admin.cohorts_reopen' : 'admin.cohorts_archive')}
      </Button>
      <p className="max-w-prose text-sm text-muted">
        {t(isArchived ? 'admin.cohorts_reopen_text' : 'admin.cohorts_archive_text')}
      </p>
    </SmartForm>
  );
}
