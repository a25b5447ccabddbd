import { readCohort, updateCohort } from '@officium/contract/admin';
import { listCohortTypes } from '@officium/contract/cohorts';
import { act } from '../../api.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/cohort-details.page';
import { CohortFields } from './cohort-fields.tsx';
import { cohortOf } from './cohort-form.ts';
import { CohortFrame } from './cohort-frame.tsx';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  const [cohort, { types }] = await Promise.all([api(readCohort, { params }), api(listCohortTypes)]);
  return { cohort, types };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const saved = await attempt(updateCohort, { params, body: cohortOf(fields) });
  return saved.ok ? redirectWith(`/admin/cohorts/${params.id}/details`, { key: 'common.saved' }) : saved.refusal;
}

export default function CohortDetails({ loaderData }: Route.ComponentProps) {
  const { cohort, types } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const known = types.includes(cohort.type) ? types : [cohort.type, ...types];
  return (
    <CohortFrame cohort={cohort} tab="/details">
      <p className="mb-5 max-w-prose text-muted">{t('admin.cohorts_name_stays')}</p>
      <SmartForm className="grid max-w-xl gap-5">
        <GuardedDraft />
        <CohortFields types={known} cohort={cohort} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
    </CohortFrame>
  );
}
