import { Form, Link } from 'react-router';
import { reviewAutoApprovals } from '@officium/contract/approval-review';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/approval.page';
import { ApprovalFrame } from './approval-frame.tsx';
import { RuleForm } from './approval-form.tsx';
import { rulesListOf } from './approval-list.ts';
import { saveRule } from './approval-save.ts';
import { ruleTypeOptions, ruleTypeWord, warningText, type ReviewedRule } from './approval-words.ts';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { listing, filters } = rulesListOf(url);
  const { page, limit, offset, match, addressOf } = listing;
  const { rules, total, warned } = await api(reviewAutoApprovals, {
    query: { ...filters, match, limit: String(limit), offset: String(offset) },
  });
  const to = Math.min(offset + limit, total);
  return {
    rules,
    total,
    warned,
    from: offset + 1,
    to,
    page,
    match,
    filters,
    query: url.search,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: to < total ? addressOf({ page: String(page + 1) }) : undefined,
    // Placeholder: the table replaces COLUMN with a column name.
    sorted: addressOf({ sort: 'COLUMN' }),
    onlyWarned: addressOf({ warned: 'true', type: undefined, q: undefined }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const saved = await saveRule(attempt, fields);
  return saved.isSaved
    ? redirectWith('/admin/approval', { key: 'admin.approval_added', values: { value: saved.value } })
    : saved.answer;
}

export default function Approval({ loaderData }: Route.ComponentProps) {
  const { rules, total, warned, from, to, page, filters, query, previous, next, sorted, onlyWarned } = loaderData;
  const { t } = useText();
  return (
    <ApprovalFrame
      here="rules"
      actions={
        <LinkButton look="secondary" to={`/admin/approval.csv${query}`} reloadDocument>
          {t('admin.table_csv')}
        </LinkButton>
      }
    >
      <section aria-labelledby="new-rule" className="border-b border-line pb-8">
        <h2 id="new-rule" className="mb-3 text-2xl">
          {t('admin.approval_new')}
        </h2>
        <RuleForm intent="add" submit={t('admin.approval_add')} />
      </section>
      <section aria-labelledby="rules" className="mt-8">
        <h2 id="rules" className="text-2xl">
          {t('admin.approval_rules')}
        </h2>
        <p className="mt-1 mb-4 text-muted">
          {t('admin.approval_warned_count', { count: warned })}{' '}
          {warned > 0 && !filters.warned ? (
            <Link to={onlyWarned} className="link inline-block py-1.5">
              {t('admin.approval_see_warned')}
            </Link>
          ) : null}
        </p>
        <Filters match={loaderData.match} {...filters} />
        {rules.length ? (
          <>
            <p className="mt-6 mb-2 text-sm text-muted">{t('admin.table_rows', { total, from, to })}</p>
            <DataTable
              caption={t('admin.approval_caption')}
              columns={useColumns()}
              rows={rules}
              keyOf={({ id }) => id}
              sort={filters.sort}
              sortedBy={(wanted) => sorted.replace('sort=COLUMN', `sort=${wanted}`)}
            />
          </>
        ) : (
          <div className="mt-8">
            <EmptyState title={t(query ? 'admin.table_none_found' : 'admin.table_empty')} />
          </div>
        )}
        <Pagination page={page} previous={previous} next={next} />
      </section>
    </ApprovalFrame>
  );
}

function Filters({ match, type, warned, sort }: { match: string; type?: string; warned?: string; sort: string }) {
  const text = useText();
  const { t } = text;
  return (
    <Form method="get" role="search" className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Field
        className="min-w-0 flex-1 basis-56"
        name="q"
        type="search"
        label={t('admin.approval_search')}
        hideOptional
        defaultValue={match}
      />
      <Select
        className="min-w-0 basis-52"
        id="filter-type"
        name="type"
        label={t('admin.approval_type')}
        hideOptional
        defaultValue={type ?? ''}
        options={[{ value: '', label: t('admin.approval_type_all') }, ...ruleTypeOptions(text)]}
      />
      <Checkbox name="warned" value="true" label={t('admin.approval_warned')} defaultChecked={warned === 'true'} />
      {sort === 'value' ? null : <input type="hidden" name="sort" value={sort} />}
      <Button look="secondary">{t('admin.products_filter')}</Button>
    </Form>
  );
}

function useColumns(): Column<ReviewedRule>[] {
  const text = useText();
  const { t } = text;
  return [
    {
      name: 'value',
      label: t('admin.approval_value'),
      isHeading: true,
      isSortable: true,
      cell: ({ value }) => <bdi dir="ltr">{value}</bdi>,
    },
    {
      name: 'type',
      label: t('admin.approval_type'),
      isSortable: true,
      cell: ({ type }) => ruleTypeWord(text, type),
    },
    {
      name: 'warnings',
      label: t('admin.approval_warnings'),
      cell: ({ value, warnings }) =>
        warnings.length ? (
          <ul className="grid gap-1">
            {warnings.map((warning) => (
              <li key={warning.kind} className={warning.kind === 'shadowed' ? undefined : 'font-semibold text-danger'}>
                {warningText(text, value, warning)}
              </li>
            ))}
          </ul>
        ) : null,
    },
    {
      name: 'createdAt',
      label: t('admin.approval_created'),
      isSortable: true,
      cell: ({ createdAt }) => <Time value={createdAt} look="date" />,
    },
    {
      name: 'edit',
      label: t('admin.approval_edit'),
      cell: ({ id, value }) => (
        <LinkButton
          look="secondary"
          small
          to={`/admin/approval/${id}`}
          aria-label={t('admin.approval_edit_of', { value })}
        >
          {t('admin.approval_edit')}
        </LinkButton>
      ),
    },
  ];
}
