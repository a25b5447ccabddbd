import { Link } from 'react-router';
import { deleteAutoApproval, readAutoApproval } from '@officium/contract/people';
import { act, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/approval-rule.page';
import { Admin } from '../../admin/admin.tsx';
import { RuleForm } from './approval-form.tsx';
import { saveRule } from './approval-save.ts';
import { loadAdmin } from '../../admin/load.ts';

const LIST = '/admin/approval';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return await api(readAutoApproval, { params });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  if (textOf(fields, 'intent') !== 'delete') {
    const saved = await saveRule(attempt, fields, params.id);
    return saved.isSaved
      ? redirectWith(LIST, { key: 'admin.approval_saved', values: { value: saved.value } })
      : saved.answer;
  }
  const { value } = await api(readAutoApproval, { params });
  if (textOf(fields, 'name').trim().toLowerCase() !== value.toLowerCase())
    return refuse({
      message: '',
      issues: [{ path: 'name', message: 'Must be the value of the rule' }],
      values: { intent: 'delete' },
    });
  const done = await attempt(deleteAutoApproval, { params });
  return done.ok ? redirectWith(LIST, { key: 'admin.approval_deleted', values: { value } }) : done.refusal;
}

export default function ApprovalRule({ loaderData }: Route.ComponentProps) {
  const { value } = loaderData;
  const { t } = useText();
  return (
    <Admin
      title={t('admin.approval_edit_of', { value })}
      intro={t('admin.approval_edit_text')}
      crumb={
        <p className="mb-2 text-sm">
          <Link to={LIST} className="link inline-block py-1.5">
            {t('admin.approval_back')}
          </Link>
        </p>
      }
    >
      <RuleForm intent="save" rule={loaderData} submit={t('admin.approval_save')} />
      <Delete value={value} />
    </Admin>
  );
}

function Delete({ value }: { value: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('delete');
  return (
    <section aria-labelledby="delete-rule" className="mt-10 max-w-prose border-t border-line pt-8">
      <h2 id="delete-rule" className="text-2xl">
        {t('admin.approval_delete')}
      </h2>
      <p className="mt-1 mb-4 text-muted">{t('admin.approval_delete_text')}</p>
      <SmartForm intent="delete" className="grid gap-4">
        <Field
          name="name"
          label={t('admin.approval_delete_name', { value })}
          required
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div>
          <Button look="danger" isBusy={isSubmitting}>
            {t('admin.approval_delete')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}
