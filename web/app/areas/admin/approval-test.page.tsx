import { useActionData } from 'react-router';
import { testAutoApprovals } from '@officium/contract/approval-review';
import type { ReplyOf } from '@officium/contract/endpoint';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText, type Text } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Route } from './+types/approval-test.page';
import { ApprovalFrame } from './approval-frame.tsx';
import { ruleTypeWord } from './approval-words.ts';
import { loadAdmin } from '../../admin/load.ts';

type Answer = ReplyOf<typeof testAutoApprovals>;
type Tested = Answer['results'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  await loadAdmin(request, context);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const emails = textOf(fields, 'emails');
  const done = await attempt(testAutoApprovals, { body: { emails } });
  return done.ok ? { emails, tested: done.body } : done.refusal;
}

export default function ApprovalTest() {
  const { t } = useText();
  const answer = useActionData<typeof action>();
  const done = answer && 'tested' in answer ? answer : undefined;
  const { isSubmitting } = useSubmitting();
  return (
    <ApprovalFrame here="test">
      <p className="max-w-prose text-muted">{t('admin.approval_test_text')}</p>
      <SmartForm className="mt-4 grid max-w-prose gap-4">
        <TextArea
          name="emails"
          label={t('admin.approval_test_field')}
          hint={t('admin.approval_test_hint')}
          required
          rows={6}
          maxLength={12_000}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          defaultValue={done?.emails}
        />
        <div>
          <Button isBusy={isSubmitting}>{t('admin.approval_test_button')}</Button>
        </div>
      </SmartForm>
      {done ? <Results {...done.tested} /> : null}
    </ApprovalFrame>
  );
}

function Results({ results, left }: Answer) {
  const { t } = useText();
  const approved = results.filter(({ outcome }) => outcome === 'approved').length;
  return (
    <section aria-labelledby="results" className="mt-8 border-t border-line pt-6">
      <div role="status">
        <h2 id="results" className="text-2xl">
          {t('admin.approval_test_summary', { approved, total: results.length })}
        </h2>
      </div>
      {left > 0 ? <p className="mt-1 text-muted">{t('admin.approval_test_left', { count: left })}</p> : null}
      <div className="mt-4">
        <DataTable
          caption={t('admin.approval_test_caption')}
          columns={useColumns()}
          rows={results}
          keyOf={({ email }) => email}
        />
      </div>
    </section>
  );
}

const LOOKS = { approved: 'success', no_rule: 'plain', malformed: 'danger' } as const;

function useColumns(): Column<Tested>[] {
  const text = useText();
  const { t } = text;
  return [
    {
      name: 'email',
      label: t('admin.approval_test_address'),
      isHeading: true,
      cell: ({ email }) => <bdi dir="ltr">{email}</bdi>,
    },
    {
      name: 'outcome',
      label: t('admin.approval_test_result'),
      cell: ({ outcome }) => <Tag look={LOOKS[outcome]}>{t(`admin.approval_test_${outcome}`)}</Tag>,
    },
    {
      name: 'why',
      label: t('admin.approval_test_why'),
      cell: (tested) => (
        <ul className="grid gap-1">
          {reasonsOf(text, tested).map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ),
    },
  ];
}

/** The reasons for the result of one address, as sentences. */
function reasonsOf(text: Text, { email, outcome, rule, shadowed, near }: Tested): string[] {
  const { t, list } = text;
  if (outcome === 'malformed') return [t('admin.approval_test_why_malformed')];
  if (rule) {
    const by = t('admin.approval_test_by', { value: rule.value, type: ruleTypeWord(text, rule.type) });
    if (!shadowed.length) return [by];
    return [by, t('admin.approval_test_also', { values: list(shadowed.map(({ value }) => value)) })];
  }
  if (!near.length) return [t('admin.approval_test_why_none')];
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return near.map(({ rule: { value }, why }) => t(`admin.approval_test_near_${why}`, { value, domain }));
}
