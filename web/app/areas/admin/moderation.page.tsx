import { Form, Link } from 'react-router';
import { listCases } from '@officium/contract/moderation-office';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/moderation.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { may } from '../../admin/areas.ts';
import { loadAdmin } from '../../admin/load.ts';
import { useReasonText } from '../../ui/reason-text.ts';
import { casesOf, REASONS } from './moderation-query.ts';

type Case = ReplyOf<typeof listCases>['cases'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale, viewer } = await loadAdmin(request, context, 'read-cases');
  const { page, limit, offset, addressOf } = listingOf(url);
  const asked = casesOf(url);
  const { cases, total } = await api(listCases, {
    query: { ...asked, locale, limit: String(limit), offset: String(offset) },
  });
  return {
    canHandle: viewer.role === 'administrator' || may(viewer, 'moderate-community') || may(viewer, 'moderate-lessons'),
    asked,
    cases,
    total,
    page,
    from: offset + 1,
    to: offset + cases.length,
    search: url.search,
    previous: page > 1 ? addressOf({ page: String(page - 1) }) : undefined,
    next: offset + cases.length < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export default function Moderation({ loaderData }: Route.ComponentProps) {
  const { canHandle, asked, cases, total, page, from, to, previous, next, search } = loaderData;
  const { t } = useText();
  const isDecided = asked.state === 'decided';
  const columns = useColumns(isDecided, canHandle);
  const sortedBy = (sort: string) => {
    const query = new URLSearchParams(search);
    query.delete('page');
    query.set('sort', sort);
    return `/admin/moderation?${query}`;
  };
  return (
    <Admin
      title={t('admin.moderation')}
      intro={t('admin.moderation_intro')}
      actions={
        isDecided ? (
          <LinkButton to={`/admin/moderation.csv${search}`} reloadDocument look="secondary">
            {t('admin.table_csv')}
          </LinkButton>
        ) : null
      }
    >
      <Filters asked={asked} />
      {cases.length ? (
        <>
          <p role="status" className="mt-6 mb-2 text-sm text-muted">
            {t('admin.table_rows', { total, from, to })}
          </p>
          <DataTable
            caption={t(isDecided ? 'admin.moderation_decided' : 'admin.moderation_waiting')}
            columns={columns}
            rows={cases}
            keyOf={(one) => `${one.id} ${one.status} ${one.since}`}
            sort={asked.sort}
            sortedBy={sortedBy}
          />
        </>
      ) : (
        <div className="mt-6">
          <EmptyState title={t('admin.moderation_none')} />
        </div>
      )}
      <Pagination page={page} previous={previous} next={next} />
    </Admin>
  );
}

/** The page where a case is handled: open reports in their community or course, decisions on their own page. */
function pathOf({ kind, community, lesson, decisionId, id }: Case): string {
  if (decisionId) return `/moderation/${decisionId}`;
  if (kind === 'article') return `/moderation/articles#${id}`;
  if (lesson) return `/moderation/courses/${lesson.course}#${id}`;
  return community ? `/communities/${community.slug}/reports#${id}` : '/admin/moderation';
}

/** Links lead to where a case is handled; an auditor may not handle it. */
function useColumns(isDecided: boolean, canHandle: boolean): Column<Case>[] {
  const { t, list, number } = useText();
  const reasonText = useReasonText();
  const shared: Column<Case>[] = [
    {
      name: 'case',
      label: t('admin.moderation_case'),
      isHeading: true,
      cell: (one) =>
        one.status === 'kept' || !canHandle ? (
          t(`admin.moderation_kind_${one.kind}`)
        ) : (
          <Link to={pathOf(one)} className="link inline-block py-1.5">
            {t(`admin.moderation_kind_${one.kind}`)}
            <span className="sr-only"> {one.community?.title ?? one.lesson?.title ?? one.article?.title}</span>
          </Link>
        ),
    },
    {
      name: 'community',
      label: t('moderation.where'),
      cell: ({ community, lesson, article }) => {
        const title = community?.title ?? lesson?.title ?? article?.title;
        return title ? <span dir="auto">{title}</span> : '–';
      },
    },
    { name: 'status', label: t('admin.moderation_status'), cell: ({ status }) => t(`admin.moderation_is_${status}`) },
    {
      name: 'reason',
      label: t('admin.moderation_reason'),
      cell: ({ reasons }) => list(reasons.map((reason) => reasonText(reason))),
    },
    {
      name: 'reports',
      label: t('admin.moderation_reports'),
      isNumber: true,
      isSortable: true,
      cell: ({ reports }) => number(reports),
    },
    {
      name: 'since',
      label: t('admin.moderation_since'),
      isSortable: true,
      cell: ({ since }) => <Time value={since} />,
    },
  ];
  return [
    ...shared,
    isDecided
      ? { name: 'by', label: t('admin.moderation_by'), cell: ({ decidedBy }) => decidedBy ?? '–' }
      : { name: 'taken', label: t('admin.moderation_taken'), cell: ({ takenBy }) => takenBy ?? '–' },
  ];
}

function Filters({ asked }: { asked: ReturnType<typeof casesOf> }) {
  const { t } = useText();
  const reasonText = useReasonText();
  const any = { value: '', label: t('admin.moderation_any') };
  return (
    <Form role="search" className="grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-[repeat(5,minmax(0,1fr))_auto]">
      <Select
        name="state"
        label={t('admin.moderation_state')}
        hideOptional
        defaultValue={asked.state}
        options={[
          { value: 'waiting', label: t('admin.moderation_waiting') },
          { value: 'decided', label: t('admin.moderation_decided') },
        ]}
      />
      <Field
        name="community"
        label={t('admin.moderation_slug')}
        hideOptional
        defaultValue={asked.community ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name="course"
        label={t('admin.moderation_course')}
        hideOptional
        defaultValue={asked.course ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        name="kind"
        label={t('admin.moderation_case')}
        hideOptional
        defaultValue={asked.kind ?? ''}
        options={[
          any,
          { value: 'activity', label: t('admin.moderation_kind_activity') },
          { value: 'reaction', label: t('admin.moderation_kind_reaction') },
          { value: 'article', label: t('admin.moderation_kind_article') },
        ]}
      />
      <Select
        name="reason"
        label={t('admin.moderation_reason')}
        hideOptional
        defaultValue={asked.reason ?? ''}
        options={[any, ...REASONS.map((reason) => ({ value: reason, label: reasonText(reason) }))]}
      />
      <div>
        <Button look="secondary">{t('admin.moderation_show')}</Button>
      </div>
    </Form>
  );
}
