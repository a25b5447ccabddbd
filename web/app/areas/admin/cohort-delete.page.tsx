import { deleteCohort, previewCohortDeletion } from '@officium/contract/cohort-lifecycle';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/cohort-delete.page';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return await api(previewCohortDeletion, { params });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const deleted = await attempt(deleteCohort, { params, body: { name: textOf(fields, 'name') } });
  return deleted.ok ? redirectWith('/admin/cohorts', { key: 'admin.cohorts_was_deleted' }) : deleted.refusal;
}

export default function DeleteCohort({ loaderData }: Route.ComponentProps) {
  const { id, name, members, invitations, uploads, products, enrolments } = loaderData;
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <Admin title={t('admin.cohorts_delete_of', { name })}>
      <div className="max-w-prose">
        <p>{t('admin.cohorts_delete_text')}</p>
        <ul className="mt-3 list-disc space-y-1 ps-6">
          <li>{t('admin.cohorts_lost_members', { count: members })}</li>
          <li>{t('admin.cohorts_lost_invitations', { count: invitations })}</li>
          <li>{t('admin.cohorts_lost_uploads', { count: uploads })}</li>
          <li>{t('admin.cohorts_lost_products', { count: products })}</li>
          <li>{t('admin.cohorts_lost_enrolments', { count: enrolments })}</li>
        </ul>
        <p className="mt-3">{t('admin.cohorts_delete_stays')}</p>
      </div>
      <SmartForm className="mt-8 grid max-w-md gap-5">
        <Field
          name="name"
          label={rich('admin.cohorts_undo_name', { name: <strong dir="auto">{name}</strong> })}
          autoComplete="off"
          required
          dir="auto"
        />
        <div className="flex flex-wrap gap-3">
          <Button look="danger" isBusy={isSubmitting}>
            {t('admin.cohorts_delete')}
          </Button>
          <LinkButton to={`/admin/cohorts/${id}/details`} look="quiet">
            {t('common.cancel')}
          </LinkButton>
        </div>
      </SmartForm>
    </Admin>
  );
}
