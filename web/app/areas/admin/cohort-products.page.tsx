import { listCohortProducts, listProducts, PRODUCT_TYPES, readCohort } from '@officium/contract/admin';
import { attachCohortProduct, detachCohortProduct, listDueDates } from '@officium/contract/cohorts';
import { readCohortSettings, updateCohortSettings } from '@officium/contract/cohort-settings';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Form } from 'react-router';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { daysLate } from '../../days-late.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Route } from './+types/cohort-products.page';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { CohortSettingsForm } from './cohort-settings-form.tsx';
import { CohortFrame } from './cohort-frame.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';

type Product = ReplyOf<typeof listProducts>['products'][number];
type Attached = Product & { dueOn: string | null };
type Type = (typeof PRODUCT_TYPES)[number];

const PAGE_SIZE = 20;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url, viewer } = await loadAdmin(request, context, 'manage-cohort');
  const { match, limit, offset, page, addressOf } = listingOf(url, PAGE_SIZE);
  const asked = url.searchParams.get('type');
  const contentType = PRODUCT_TYPES.find((type) => type === asked) ?? 'courseJourney';
  const [cohort, { products }, { dueDates }, settings, found] = await Promise.all([
    api(readCohort, { params }),
    api(listCohortProducts, { params }),
    api(listDueDates, { params }),
    api(readCohortSettings, { params }),
    viewer.role === 'administrator'
      ? api(listProducts, { query: { contentType, match, limit: String(limit), skip: String(offset) } })
      : { products: [], total: 0 },
  ]);
  const days = new Map(dueDates.map(({ entryId, dueOn }) => [entryId, dueOn]));
  const taken = new Set(products.map(({ id }) => id));
  return {
    cohort,
    settings,
    attached: products.map((product): Attached => ({ ...product, dueOn: days.get(product.id) ?? null })),
    found: found.products.map((product) => ({ ...product, isAttached: taken.has(product.id) })),
    contentType,
    match,
    page,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: offset + limit < found.total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const here = `/admin/cohorts/${params.id}/products${url.search}`;
  if (textOf(fields, 'intent') === 'settings') {
    const saved = await attempt(updateCohortSettings, {
      params,
      body: {
        remindsOfDueDates: fields.has('remindsOfDueDates'),
        enrolsAtOnce: textOf(fields, 'enrolsAtOnce') === 'yes',
      },
    });
    return saved.ok ? redirectWith(here, { key: 'common.saved' }) : saved.refusal;
  }
  const product = { id: params.id, entryId: textOf(fields, 'entryId') };
  if (textOf(fields, 'intent').startsWith('detach')) {
    const done = await attempt(detachCohortProduct, { params: product });
    return done.ok ? redirectWith(here, { key: 'admin.cohorts_detached' }) : done.refusal;
  }
  const isDay = fields.has('dueOn');
  const dueOn = textOf(fields, 'dueOn') || null;
  const done = await attempt(attachCohortProduct, {
    params: product,
    body: isDay ? { dueOn } : {},
  });
  if (!done.ok) return done.refusal;
  if (daysLate(dueOn, new Date()) > 0) return redirectWith(here, { key: 'admin.cohorts_due_past', tone: 'info' });
  return redirectWith(here, { key: isDay ? 'common.saved' : 'admin.cohorts_attached' });
}

export default function CohortProducts({ loaderData }: Route.ComponentProps) {
  const { cohort, attached } = loaderData;
  const { t } = useText();
  const isOffice = !cohort.capabilities;
  const columns = useAttachedColumns(isOffice);
  return (
    <CohortFrame cohort={cohort} tab="/products">
      <section aria-labelledby="attached">
        <h2 id="attached" className="text-2xl">
          {t('admin.cohorts_attached_title')}
        </h2>
        <p className="mt-1 max-w-prose text-muted">{t('admin.cohorts_products_text')}</p>
        <div className="mt-4">
          {attached.length ? (
            <DataTable
              caption={t('admin.cohorts_attached_title')}
              columns={columns}
              rows={attached}
              keyOf={({ id }) => id}
            />
          ) : (
            <EmptyState title={t('admin.cohorts_no_products')}>{t('admin.cohorts_no_products_text')}</EmptyState>
          )}
        </div>
      </section>
      <CohortSettingsForm settings={loaderData.settings} />
      {isOffice ? <Picker {...loaderData} /> : null}
    </CohortFrame>
  );
}

function useProductColumns(): Column<Product>[] {
  const { t } = useText();
  return [
    {
      name: 'title',
      label: t('admin.cohorts_title'),
      isHeading: true,
      cell: ({ title, slug, course }) => (
        <>
          <span dir="auto">{title}</span>
          {course ? (
            <span className="block font-normal" dir="auto">
              {course}
            </span>
          ) : null}
          {slug && slug !== title ? <bdi className="block font-normal text-muted">{slug}</bdi> : null}
        </>
      ),
    },
    { name: 'type', label: t('admin.cohorts_type'), cell: ({ contentType }) => <Kind type={contentType} /> },
  ];
}

function Kind({ type }: { type: string }) {
  const { maybe } = useText();
  return <>{maybe(`admin.cohorts_kind_${type.toLowerCase()}`) ?? type}</>;
}

/** Managers of the cohort set due dates only. */
function useAttachedColumns(isOffice: boolean): Column<Attached>[] {
  const { t } = useText();
  const columns: Column<Attached>[] = [
    ...useProductColumns(),
    { name: 'due', label: t('admin.cohorts_due'), cell: (product) => <DueForm product={product} /> },
    {
      name: 'change',
      label: t('admin.cohorts_change'),
      cell: ({ id, title }) => (
        <ConfirmAction
          intent={`detach-${id}`}
          label={t('admin.cohorts_detach')}
          about={title}
          fields={{ entryId: id }}
          look="quiet"
        >
          {t('admin.cohorts_detach_text')}
        </ConfirmAction>
      ),
    },
  ];
  return isOffice ? columns : columns.filter(({ name }) => name !== 'change');
}

/** Only products that can be finished can have a due date. */
function DueForm({ product: { id, title, contentType, dueOn } }: { product: Attached }) {
  const { t } = useText();
  if (contentType !== 'courseJourney' && contentType !== 'course') return null;
  const inputId = `due-${id}`;
  return (
    <SmartForm intent={`due-${id}`} className="flex flex-wrap items-center gap-2 max-md:justify-end">
      <input type="hidden" name="entryId" value={id} />
      <label htmlFor={inputId} className="sr-only">
        {t('admin.cohorts_due_of', { title })}
      </label>
      <input
        key={dueOn ?? ''}
        id={inputId}
        type="date"
        name="dueOn"
        defaultValue={dueOn ?? ''}
        className="input w-40"
      />
      <Button look="quiet">
        {t('common.save')}
        <span className="sr-only">: {title}</span>
      </Button>
    </SmartForm>
  );
}

function Picker(props: Route.ComponentProps['loaderData']) {
  const { found, contentType, match, page, previous, next } = props;
  const { t } = useText();
  const columns: Column<(typeof found)[number]>[] = [
    ...useProductColumns(),
    {
      name: 'change',
      label: t('admin.cohorts_change'),
      cell: ({ id, title, isAttached }) =>
        isAttached ? (
          <Tag look="success">{t('admin.cohorts_is_attached')}</Tag>
        ) : (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="entryId" value={id} />
            <Button look="secondary">
              {t('admin.cohorts_attach')}
              <span className="sr-only">: {title}</span>
            </Button>
          </Form>
        ),
    },
  ];
  return (
    <section aria-labelledby="pick" className="mt-12">
      <h2 id="pick" className="text-2xl">
        {t('admin.cohorts_pick')}
      </h2>
      <PickForm type={contentType} match={match} />
      <div className="mt-6">
        {found.length ? (
          <DataTable caption={t('admin.cohorts_pick')} columns={columns} rows={found} keyOf={({ id }) => id} />
        ) : (
          <EmptyState title={t('admin.cohorts_none_found')}>{t('admin.table_none_found')}</EmptyState>
        )}
        <Pagination page={page} previous={previous} next={next} />
      </div>
    </section>
  );
}

function PickForm({ type, match }: { type: Type; match: string }) {
  const { t, maybe } = useText();
  return (
    <Form method="get" preventScrollReset role="search" className="mt-3 flex flex-wrap items-end gap-3">
      <div>
        <label htmlFor="type" className="mb-1 block font-semibold">
          {t('admin.cohorts_type')}
        </label>
        <select id="type" name="type" className="input" defaultValue={type}>
          {PRODUCT_TYPES.map((one) => (
            <option key={one} value={one}>
              {maybe(`admin.cohorts_kind_${one.toLowerCase()}`) ?? one}
            </option>
          ))}
        </select>
      </div>
      <div className="min-w-0 grow basis-48 sm:max-w-sm">
        <label htmlFor="q" className="mb-1 block font-semibold">
          {t('admin.cohorts_title')}
        </label>
        <input id="q" name="q" type="search" defaultValue={match} maxLength={200} className="input" dir="auto" />
      </div>
      <Button look="secondary">{t('admin.cohorts_find')}</Button>
    </Form>
  );
}
