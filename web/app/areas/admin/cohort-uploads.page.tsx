import { listUploads, readCohort } from '@officium/contract/admin';
import { readUploadFile } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/cohort-uploads.page';
import { CohortFrame } from './cohort-frame.tsx';
import { takesPeople } from './cohort-days.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { useUploadState } from './upload-state.tsx';

type Upload = ReplyOf<typeof listUploads>['uploads'][number];

const PAGE_SIZE = 20;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const { page, limit, offset, addressOf } = listingOf(url, PAGE_SIZE);
  const [cohort, { uploads, total }] = await Promise.all([
    api(readCohort, { params }),
    api(listUploads, { params, query: { limit: String(limit), offset: String(offset) } }),
  ]);
  return {
    cohort,
    uploads,
    page,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

/** Reads pasted addresses or a file, and opens the preview of the upload. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const sent = fields.get('file');
  const pasted = textOf(fields, 'text');
  const file = sent instanceof File && sent.size > 0 ? sent : new File([pasted], 'pasted.csv', { type: 'text/csv' });
  const read = await attempt(readUploadFile, { params, file });
  return read.ok ? redirect(`/admin/cohorts/${params.id}/uploads/check/${read.body.id}`) : read.refusal;
}

export default function CohortUploads({ loaderData }: Route.ComponentProps) {
  const { cohort, uploads, page, previous, next } = loaderData;
  const { t } = useText();
  const columns = useColumns();
  return (
    <CohortFrame cohort={cohort} tab="/uploads">
      {!takesPeople(cohort) ? null : <NewUpload />}
      {uploads.length ? (
        <section aria-labelledby="uploads" className="mt-12">
          <h2 id="uploads" className="mb-3 text-2xl">
            {t('admin.cohorts_uploads_before')}
          </h2>
          <DataTable
            caption={t('admin.cohorts_uploads_before')}
            columns={columns}
            rows={uploads}
            keyOf={({ uploadId }) => uploadId}
          />
          <Pagination page={page} previous={previous} next={next} />
        </section>
      ) : null}
    </CohortFrame>
  );
}

function NewUpload() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <section aria-labelledby="new-upload">
      <h2 id="new-upload" className="text-2xl">
        {t('admin.cohorts_upload_new')}
      </h2>
      <p className="mt-1 max-w-prose text-muted">{t('admin.cohorts_upload_text')}</p>
      <SmartForm encType="multipart/form-data" className="mt-5 grid max-w-2xl gap-5">
        <TextArea
          name="text"
          label={t('admin.cohorts_paste')}
          hint={t('admin.cohorts_paste_hint')}
          rows={6}
          spellCheck={false}
          autoComplete="off"
          dir="ltr"
        />
        <div>
          <label htmlFor="file" className="mb-1 block font-semibold">
            {t('admin.cohorts_file')} <span className="font-normal text-muted">({t('common.optional')})</span>
          </label>
          <p id="file-hint" className="mb-1.5 text-sm text-muted">
            {t('admin.cohorts_file_hint')}
          </p>
          <input
            id="file"
            name="file"
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            aria-describedby="file-hint"
            className="block w-full rounded border border-dashed border-edge p-6"
          />
        </div>
        <div>
          <Button isBusy={isSubmitting}>{t('admin.cohorts_check')}</Button>
        </div>
      </SmartForm>
    </section>
  );
}

function useColumns(): Column<Upload>[] {
  const { t, number } = useText();
  const stateOf = useUploadState();
  return [
    {
      name: 'slug',
      label: t('admin.cohorts_label'),
      isHeading: true,
      cell: ({ cohortId, uploadId, slug }) => (
        <Link to={`/admin/cohorts/${cohortId}/uploads/${uploadId}`} className="link -my-1 inline-block py-1">
          <bdi>{slug}</bdi>
        </Link>
      ),
    },
    { name: 'when', label: t('admin.cohorts_when'), cell: ({ createdAt }) => <Time value={createdAt} /> },
    { name: 'state', label: t('admin.cohorts_state'), cell: stateOf },
    {
      name: 'total',
      label: t('admin.cohorts_addresses'),
      isNumber: true,
      cell: ({ total }) => number(total),
    },
    ...(['added', 'invited', 'already', 'invalid'] as const).map((name) => ({
      name,
      label: t(`admin.cohorts_${name}`),
      isNumber: true,
      cell: ({ outcomes }: Upload) => number(outcomes[name]),
    })),
  ];
}
