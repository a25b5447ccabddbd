import { listUploadAddresses, readCohort, UPLOAD_OUTCOMES } from '@officium/contract/admin';
import { listResends, readUpload, resendInvitations, undoUpload } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Field } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/cohort-upload.page';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { CohortFrame } from './cohort-frame.tsx';
import { Figures } from '../../admin/figures.tsx';
import { AutoRefresh } from '../../ui/auto-refresh.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { Resends } from './resends.tsx';
import { isUnderWay, useUploadState } from './upload-state.tsx';

type Upload = ReplyOf<typeof readUpload>;
type Address = ReplyOf<typeof listUploadAddresses>['addresses'][number];
type Outcome = (typeof UPLOAD_OUTCOMES)[number];

const PAGE_SIZE = 100;

export function outcomeOf(url: URL): Outcome | undefined {
  return UPLOAD_OUTCOMES.find((outcome) => outcome === url.searchParams.get('outcome'));
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const { addressOf } = listingOf(url);
  const place = { id: params.id, uploadId: params.upload };
  const outcome = outcomeOf(url);
  const after = /^\d{1,9}$/.exec(url.searchParams.get('after') ?? '')?.[0];
  const query = { limit: String(PAGE_SIZE), ...(outcome ? { outcome } : {}), ...(after ? { after } : {}) };
  const [cohort, upload, { addresses }, { resends }] = await Promise.all([
    api(readCohort, { params: { id: params.id } }),
    api(readUpload, { params: place }),
    api(listUploadAddresses, { params: place, query }),
    api(listResends, { params: { id: params.id }, query: { limit: '3' } }),
  ]);
  const last = addresses.at(-1);
  return {
    cohort,
    upload,
    addresses,
    outcome: outcome ?? null,
    resends: resends.filter(({ uploadId }) => uploadId === params.upload),
    filters: Object.fromEntries(
      [undefined, ...UPLOAD_OUTCOMES].map((one) => [one ?? '', addressOf({ outcome: one, after: undefined })]),
    ),
    first: after ? addressOf({ after: undefined }) : undefined,
    next: last && addresses.length === PAGE_SIZE ? addressOf({ after: String(last.position) }) : undefined,
    csv: `/admin/cohorts/${params.id}/uploads/${params.upload}/csv${outcome ? `?outcome=${outcome}` : ''}`,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const here = `/admin/cohorts/${params.id}/uploads/${params.upload}`;
  if (textOf(fields, 'intent') === 'undo') {
    const place = { id: params.id, uploadId: params.upload };
    const begun = await attempt(undoUpload, { params: place, body: { name: textOf(fields, 'name') } });
    return begun.ok ? redirectWith(here, { key: 'admin.cohorts_undo_begun' }) : begun.refusal;
  }
  const sent = await attempt(resendInvitations, { params: { id: params.id }, body: { uploadId: params.upload } });
  return sent.ok ? redirectWith(here, { key: 'admin.cohorts_sent_all' }) : sent.refusal;
}

export default function CohortUpload({ loaderData }: Route.ComponentProps) {
  const { cohort, upload, addresses, resends, first, next, csv } = loaderData;
  const { t } = useText();
  const columns = useColumns(upload);
  return (
    <CohortFrame cohort={cohort} tab="/uploads">
      <UploadProgress upload={upload} />
      {upload.undo ? null : <Acts upload={upload} name={cohort.name} />}
      <Resends resends={resends} />
      <section aria-labelledby="outcomes" className="mt-10">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 id="outcomes" className="text-2xl">
            {t('admin.cohorts_outcomes')}
          </h2>
          <a href={csv} className="link inline-flex min-h-11 items-center">
            {t('admin.table_csv')}
          </a>
        </div>
        <Filters {...loaderData} />
        {addresses.length ? (
          <DataTable
            caption={t('admin.cohorts_outcomes')}
            columns={columns}
            rows={addresses}
            keyOf={({ position }) => String(position)}
          />
        ) : (
          <p className="py-4 text-muted">{t('admin.table_none_found')}</p>
        )}
        <Pagination previous={first} next={next} />
      </section>
    </CohortFrame>
  );
}

/** Progress of an upload, polled while it runs. */
function UploadProgress({ upload }: { upload: Upload }) {
  const { t, number } = useText();
  const stateOf = useUploadState();
  const { slug, createdAt, total, waiting, outcomes, undo } = upload;
  const done = undo ? undo.removed + undo.withdrawn + undo.kept + undo.stopped : total - waiting;
  const names = undo ? (['removed', 'withdrawn', 'kept', 'stopped'] as const) : UPLOAD_OUTCOMES;
  const value = (name: string) => Object.entries({ ...outcomes, ...undo }).find(([key]) => key === name)?.[1];
  return (
    <>
      <h2 className="text-2xl">
        <bdi>{slug}</bdi>
      </h2>
      <p className="mt-1 mb-5 text-muted" role="status">
        {stateOf(upload)} · <Time value={undo?.startedAt ?? createdAt} />
      </p>
      {isUnderWay(upload) ? (
        <div className="mb-6 max-w-xl">
          <Progress label={stateOf(upload)} value={done} max={total} caption={`${number(done)} / ${number(total)}`} />
          {undo ? null : <Estimate upload={upload} />}
          <AutoRefresh />
        </div>
      ) : null}
      <Figures
        figures={names.map((name) => ({ label: t(`admin.cohorts_${name}`), value: Number(value(name) ?? 0) }))}
      />
    </>
  );
}

function Estimate({ upload: { total, waiting, seconds } }: { upload: Upload }) {
  const { t } = useText();
  const done = total - waiting;
  if (done === 0 || seconds < 1) return null;
  const rate = done / seconds;
  return (
    <p className="mt-1 text-sm text-muted">
      {t('admin.cohorts_rate', { rate: Math.round(rate), minutes: Math.max(1, Math.ceil(waiting / rate / 60)) })}
    </p>
  );
}

function Acts({ upload, name }: { upload: Upload; name: string }) {
  const { t, rich } = useText();
  return (
    <div className="mt-6 flex flex-wrap items-start gap-3">
      {upload.outcomes.invited ? (
        <SmartForm intent="send">
          <Button look="secondary">{t('admin.cohorts_send_upload')}</Button>
        </SmartForm>
      ) : null}
      {upload.canUndo ? (
        <ConfirmAction intent="undo" label={t('admin.cohorts_undo')}>
          <p>{t('admin.cohorts_undo_text')}</p>
          <Field
            name="name"
            label={rich('admin.cohorts_undo_name', { name: <strong dir="auto">{name}</strong> })}
            autoComplete="off"
            required
            dir="auto"
            className="mt-4"
          />
        </ConfirmAction>
      ) : null}
    </div>
  );
}

function Filters({
  upload,
  outcome,
  filters,
}: Pick<Route.ComponentProps['loaderData'], 'upload' | 'outcome' | 'filters'>) {
  const { t, number } = useText();
  return (
    <nav aria-label={t('admin.cohorts_filter')} className="my-2">
      <ul className="flex flex-wrap gap-x-6">
        {(['', ...UPLOAD_OUTCOMES] as const).map((one) => (
          <li key={one}>
            <Link
              to={filters[one] ?? ''}
              preventScrollReset
              aria-current={one === (outcome ?? '') ? 'page' : undefined}
              className="here inline-flex min-h-11 items-center gap-2 aria-[current]:font-semibold"
            >
              {one ? t(`admin.cohorts_${one}`) : t('admin.cohorts_all')}
              <span className="text-sm text-muted tabular-nums">
                {number(one ? upload.outcomes[one] : upload.total)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function useColumns({ undo }: Upload): Column<Address>[] {
  const { t } = useText();
  return [
    { name: 'email', label: t('auth.email'), isHeading: true, cell: ({ email }) => <bdi>{email}</bdi> },
    {
      name: 'outcome',
      label: t('admin.cohorts_outcome'),
      cell: ({ outcome, undone }) =>
        outcome ? t(`admin.cohorts_${outcome}`) : undone ? null : t('admin.cohorts_waiting'),
    },
    ...(undo
      ? [
          {
            name: 'undone',
            label: t('admin.cohorts_undone'),
            cell: ({ undone }: Address) => (undone ? t(`admin.cohorts_${undone}`) : t('admin.cohorts_waiting')),
          },
        ]
      : []),
  ];
}
