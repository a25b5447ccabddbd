import { Form } from 'react-router';
import { registerProduct } from '@officium/contract/admin';
import type { ReplyOf } from '@officium/contract/endpoint';
import { listProductAccess } from '@officium/contract/product-access';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { useFormState } from '../../form/form-scope.tsx';
import { type Text, useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/products.page';
import { AS_COURSE, shortScopeOptions, scopeWord, typeOptions, typeWord } from './access-words.ts';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { BulkForm, Choice } from './products-bulk.tsx';
import { productsListOf, STATES } from './products-list.ts';

type Entry = ReplyOf<typeof listProductAccess>['entries'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { listing, filters } = productsListOf(url);
  const { page, limit, offset, match, addressOf } = listing;
  const { entries, total } = await api(listProductAccess, {
    query: { ...filters, match, limit: String(limit), offset: String(offset) },
  });
  const to = Math.min(offset + limit, total);
  return {
    entries,
    total,
    from: offset + 1,
    to,
    page,
    match,
    ...filters,
    query: url.search,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: to < total ? addressOf({ page: String(page + 1) }) : undefined,
    // Placeholder: the table replaces COLUMN with a column name.
    sorted: addressOf({ sort: 'COLUMN' }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const done = await attempt(registerProduct, { params: { id: textOf(fields, 'id') } });
  return done.ok ? redirectWith(`/admin/products${url.search}`, { key: 'admin.products_registered' }) : done.refusal;
}

export default function Products({ loaderData }: Route.ComponentProps) {
  const { entries, total, from, to, page, sort, query, previous, next, sorted } = loaderData;
  const { t } = useText();
  const refused = useFormState();
  return (
    <Admin
      title={t('admin.products')}
      intro={t('admin.products_intro')}
      actions={
        <LinkButton look="secondary" to={`/admin/products.csv${query}`} reloadDocument>
          {t('admin.table_csv')}
        </LinkButton>
      }
    >
      {refused ? <ErrorSummary state={refused} /> : null}
      <Filters {...loaderData} />
      {entries.length ? (
        <>
          <p className="mt-6 mb-2 text-sm text-muted">{t('admin.table_rows', { total, from, to })}</p>
          <DataTable
            caption={t('admin.products_caption')}
            columns={useColumns(query)}
            rows={entries}
            keyOf={({ id }) => id}
            sort={sort}
            sortedBy={(wanted) => sorted.replace('sort=COLUMN', `sort=${wanted}`)}
          />
          <BulkForm query={query} />
        </>
      ) : (
        <div className="mt-8">
          <EmptyState title={t('admin.table_none_found')} />
        </div>
      )}
      <Pagination page={page} previous={previous} next={next} />
    </Admin>
  );
}

function Filters({ match, type, state, sort }: { match: string; type?: string; state?: string; sort: string }) {
  const text = useText();
  const { t } = text;
  const all = (label: string) => ({ value: '', label });
  return (
    <Form method="get" role="search" className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Field
        className="min-w-0 flex-1 basis-56"
        name="q"
        type="search"
        label={t('admin.products_search')}
        hideOptional
        defaultValue={match}
      />
      <Select
        className="min-w-0 grow basis-44"
        name="type"
        label={t('admin.products_type')}
        hideOptional
        defaultValue={type ?? ''}
        options={[all(t('admin.products_type_all')), ...typeOptions(text)]}
      />
      <Select
        className="min-w-0 grow basis-56"
        name="state"
        label={t('admin.products_state')}
        hideOptional
        defaultValue={state ?? ''}
        options={[
          all(t('admin.products_state_all')),
          ...STATES.map((value) => ({ value, label: t(`admin.products_state_${value}`) })),
        ]}
      />
      {sort === 'title' ? null : <input type="hidden" name="sort" value={sort} />}
      <Button look="secondary">{t('admin.products_filter')}</Button>
    </Form>
  );
}

function useColumns(query: string): Column<Entry>[] {
  const text = useText();
  const { t } = text;
  const options = shortScopeOptions(text);
  const asCourse = { value: AS_COURSE, label: t('admin.products_as_course') };
  const scope = (name: 'can_view' | 'can_join', entry: Entry) =>
    entry.permissions ? (
      <Select
        name={name}
        form={formOf(entry)}
        id={`${name}-${entry.id}`}
        key={`${entry.reason}-${entry.permissions[name]}`}
        label={t(name === 'can_view' ? 'admin.products_view_of' : 'admin.products_join_of', { title: entry.title })}
        hideLabel
        hint={inForce(text, entry, name)}
        className="min-w-0 text-start md:w-40 lg:w-52 [&_select]:ps-2 [&_select]:pe-1"
        options={entry.isJourney ? [asCourse, ...options] : options}
        defaultValue={entry.reason === 'as-course' ? AS_COURSE : entry.permissions[name]}
      />
    ) : null;
  return [
    {
      name: 'choice',
      label: t('admin.people_select'),
      cell: (entry) => (entry.permissions ? <Choice {...entry} /> : null),
    },
    {
      name: 'title',
      label: t('admin.products_title'),
      isHeading: true,
      isSortable: true,
      cell: ({ title, slug, id, contentType, course }) => (
        <>
          <span dir="auto" className="block">
            {title}
          </span>
          <span className="block font-normal text-muted">
            {typeWord(text, contentType)} · <bdi>{course ?? slug ?? id}</bdi>
          </span>
        </>
      ),
    },
    {
      name: 'view',
      label: t('admin.products_view'),
      isSortable: true,
      cell: (entry) => (entry.permissions ? scope('can_view', entry) : t('admin.products_unregistered')),
    },
    {
      name: 'join',
      label: t('admin.products_join'),
      isSortable: true,
      cell: (entry) => scope('can_join', entry),
    },
    {
      name: 'change',
      label: t('admin.products_change'),
      cell: (entry) => <Change entry={entry} query={query} />,
    },
  ];
}

/** The scope in force, where it is not the chosen one. */
function inForce(text: Text, { effective, reason }: Entry, name: 'can_view' | 'can_join'): string | undefined {
  if (!effective || !reason || reason === 'own') return undefined;
  return text.t(`admin.products_reason_${reason}`, { scope: scopeWord(text, effective[name]) });
}

const formOf = ({ id }: Entry) => `access-${id}`;

/**
 * Opens the preview of the chosen permissions, where they are confirmed; registers an entry that is not a product yet.
 */
function Change({ entry, query }: { entry: Entry; query: string }) {
  const { t } = useText();
  const { id, title } = entry;
  if (entry.permissions)
    return (
      <Form id={formOf(entry)} method="get" action={`/admin/products/${id}`}>
        <input type="hidden" name="back" value={query} />
        <Button look="secondary" small aria-label={t('admin.products_change_of', { title })}>
          {t('admin.products_change_button')}
        </Button>
      </Form>
    );
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <Button look="secondary" small aria-label={t('admin.products_register_of', { title })}>
        {t('admin.products_register')}
      </Button>
    </Form>
  );
}
