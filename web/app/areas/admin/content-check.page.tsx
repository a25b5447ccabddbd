import { CHECK_RULES, listContentFindings } from '@officium/contract/content-checks';
import type { ReplyOf } from '@officium/contract/endpoint';
import { endonymOf } from '@officium/i18n/locales';
import { Form, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Route } from './+types/content-check.page';
import { Admin } from '../../admin/admin.tsx';
import { checkFiltersOf, SEVERITIES, type CheckFilters } from './content-check.load.ts';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';

type Finding = ReplyOf<typeof listContentFindings>['findings'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url, viewer } = await loadAdmin(request, context, 'read-content');
  const { page, limit, offset, match, addressOf } = listingOf(url);
  const filters = checkFiltersOf(url.searchParams, match);
  const query = { ...filters, locale, limit: String(limit), offset: String(offset) };
  const found = await api(listContentFindings, { query });
  return {
    ...found,
    isAll: viewer.role === 'administrator',
    filters,
    page,
    from: offset + 1,
    to: offset + found.findings.length,
    csv: `/admin/content/check.csv${url.search}`,
    previous: page > 1 ? addressOf({ page: String(page - 1) }) : undefined,
    next: offset + limit < found.total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export default function ContentCheck({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { isAll, findings, texts, total, from, to, filters, csv, page, previous, next } = loaderData;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Admin
      title={t('admin.publish_check')}
      crumb={
        <p className="text-sm">
          <Link to="/admin/content" className="link inline-block py-1.5">
            {t('admin.content')}
          </Link>
        </p>
      }
      intro={<p>{t('admin.publish_check_intro', { count: texts })}</p>}
      actions={
        total > 0 ? (
          <LinkButton to={csv} look="secondary" reloadDocument>
            {t('admin.table_csv')}
          </LinkButton>
        ) : null
      }
    >
      <Filters filters={filters} languages={loaderData.languages} />
      {findings.length === 0 ? (
        <div className="mt-8">
          <EmptyState title={isFiltered ? t('admin.table_none_found') : t('admin.publish_check_clean')}>
            {isFiltered ? (
              <Link to="/admin/content/check" className="link inline-block py-1.5">
                {t('admin.publish_check_all')}
              </Link>
            ) : null}
          </EmptyState>
        </div>
      ) : (
        <>
          <p role="status" className="mt-6 mb-3 text-muted">
            {t('admin.table_rows', { total, from, to })}
          </p>
          <Findings findings={findings} isAll={isAll} />
          <Pagination {...{ previous, next, page }} />
        </>
      )}
    </Admin>
  );
}

function Filters({ filters, languages }: { filters: CheckFilters; languages: Finding['locale'][] }) {
  const { t } = useText();
  const all = { value: '', label: t('admin.publish_check_any') };
  return (
    <Form role="search" className="grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-[repeat(4,minmax(0,1fr))_auto]">
      <Field name="q" label={t('admin.publish_check_search')} type="search" hideOptional defaultValue={filters.match} />
      <Select
        name="severity"
        label={t('admin.publish_check_weight')}
        hideOptional
        defaultValue={filters.severity ?? ''}
        options={[all, ...SEVERITIES.map((value) => ({ value, label: t(`admin.publish_check_${value}`) }))]}
      />
      <Select
        name="rule"
        label={t('admin.publish_check_mend')}
        hideOptional
        defaultValue={filters.rule ?? ''}
        options={[all, ...CHECK_RULES.map((value) => ({ value, label: t(`admin.publish_rule_${value}`) }))]}
      />
      <Select
        name="language"
        label={t('admin.publish_check_language')}
        hideOptional
        defaultValue={filters.language ?? ''}
        options={[all, ...languages.map((value) => ({ value, label: endonymOf(value), lang: value }))]}
      />
      <Button look="secondary">{t('admin.publish_check_show')}</Button>
    </Form>
  );
}

/** A role may not open the page for learners, so its links lead to the editor. */
function Findings({ findings, isAll }: { findings: Finding[]; isAll: boolean }) {
  const { t } = useText();
  const columns: Column<Finding>[] = [
    {
      name: 'mend',
      label: t('admin.publish_check_mend'),
      cell: ({ rule, text, locale }) => (
        <>
          {t(`admin.publish_rule_${rule}`)}
          {text ? (
            <q lang={locale} dir="auto" className="mt-0.5 block text-sm font-normal wrap-anywhere text-muted">
              {text}
            </q>
          ) : null}
        </>
      ),
      isHeading: true,
    },
    {
      name: 'weight',
      label: t('admin.publish_check_weight'),
      cell: ({ severity }) => (
        <Tag look={severity === 'must' ? 'danger' : 'plain'}>{t(`admin.publish_check_${severity}`)}</Tag>
      ),
    },
    {
      name: 'where',
      label: t('admin.publish_check_where'),
      cell: ({ key, path, locale, title, course, file }) => (
        <>
          {isAll ? (
            <Link to={`${path}?locale=${locale}`} reloadDocument className="link inline-block py-0.5" dir="auto">
              {title}
            </Link>
          ) : (
            <Link to={`/admin/content/lesson/${key}?beside=${locale}`} className="link inline-block py-0.5" dir="auto">
              {title}
            </Link>
          )}
          {course ? <span className="block text-sm text-muted">{course}</span> : null}
          {file ? (
            <span className="block text-sm wrap-anywhere text-muted" dir="ltr">
              {file}
            </span>
          ) : null}
        </>
      ),
    },
    {
      name: 'language',
      label: t('admin.publish_check_language'),
      cell: ({ locale }) => <span lang={locale}>{endonymOf(locale)}</span>,
    },
    { name: 'line', label: t('admin.publish_check_line'), cell: ({ line }) => line, isNumber: true },
  ];
  return (
    <DataTable
      caption={t('admin.publish_check')}
      columns={columns}
      rows={findings}
      keyOf={({ path, locale, line, rule, text }) => `${path} ${locale} ${line} ${rule} ${text}`}
    />
  );
}
