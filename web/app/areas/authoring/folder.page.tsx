import { checkContentZip, listContentImports } from '@officium/contract/content-folder';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link, useActionData } from 'react-router';
import { act, refuse } from '../../server/api.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import type { FormState } from '../../form/state.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/folder.page';
import { ContentCrumb } from './piece-head.tsx';
import { ImportState } from './folder-state.tsx';

type Row = ReplyOf<typeof listContentImports>['imports'][number];

const PAGE_SIZE = 20;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { page, limit, offset, addressOf } = listingOf(url, PAGE_SIZE);
  const { imports, total } = await api(listContentImports, {
    query: { limit: String(limit), offset: String(offset) },
  });
  return {
    imports,
    page,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

/** A refusal that may name the file in the archive that caused it. */
type Refused = FormState & { file: string };

/** Uploads the ZIP for checking and opens the preview of the import. */
export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const file = fields.get('file');
  if (!(file instanceof File) || file.size === 0) {
    const message = 'File is required';
    return refuse({ message, issues: [{ path: 'file', message }] });
  }
  const sent = await attempt(checkContentZip, { file });
  if (sent.ok) return redirect(`/admin/content/folder/${sent.body.id}`);
  const { message, code, issues, status, file: about = '' } = sent.failure;
  const state: Refused = { message, issues, status, ...(code ? { code } : {}), file: about };
  return refuse(state, status);
}

export default function ContentFolder({ loaderData }: Route.ComponentProps) {
  const { imports, page, previous, next } = loaderData;
  const { t } = useText();
  const columns = useColumns();
  return (
    <Admin title={t('admin.folder')} intro={t('admin.folder_intro')} crumb={<ContentCrumb />}>
      <div className="grid gap-12">
        <section aria-labelledby="export">
          <h2 id="export" className="text-2xl">
            {t('admin.folder_export')}
          </h2>
          <p className="mt-1 max-w-prose text-muted">{t('admin.folder_export_text')}</p>
          <p className="mt-4">
            <a href="/api/content/folder" download className="btn btn-secondary">
              {t('admin.folder_download')}
            </a>
          </p>
        </section>
        <Import />
        {imports.length > 0 ? (
          <section aria-labelledby="before">
            <h2 id="before" className="mb-3 text-2xl">
              {t('admin.folder_before')}
            </h2>
            <DataTable caption={t('admin.folder_before')} columns={columns} rows={imports} keyOf={({ id }) => id} />
            <Pagination page={page} previous={previous} next={next} />
          </section>
        ) : null}
      </div>
    </Admin>
  );
}

function Import() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const file = useRefusedFile();
  return (
    <section aria-labelledby="import">
      <h2 id="import" className="text-2xl">
        {t('admin.folder_import')}
      </h2>
      <p className="mt-1 max-w-prose text-muted">{t('admin.folder_import_text')}</p>
      <SmartForm encType="multipart/form-data" className="mt-5 grid max-w-2xl gap-5">
        {file ? (
          <p>
            {t('admin.folder_file_about')} <bdi className="font-semibold wrap-anywhere">{file}</bdi>
          </p>
        ) : null}
        <div>
          <label htmlFor="file" className="mb-1 block font-semibold">
            {t('admin.folder_file')}
          </label>
          <p id="file-hint" className="mb-1.5 text-sm text-muted">
            {t('admin.folder_file_hint')}
          </p>
          <input
            id="file"
            name="file"
            type="file"
            accept=".zip,application/zip"
            aria-describedby="file-hint"
            className="block w-full rounded border border-dashed border-edge p-6"
          />
        </div>
        <div>
          <Button isBusy={isSubmitting}>{t('admin.folder_check')}</Button>
        </div>
      </SmartForm>
    </section>
  );
}

function useRefusedFile(): string {
  const answer: unknown = useActionData();
  const isOurs = typeof answer === 'object' && answer !== null && 'file' in answer;
  return isOurs ? (answer as Refused).file : ''; // only the action above returns this shape
}

function useColumns(): Column<Row>[] {
  const { t, number } = useText();
  return [
    {
      name: 'name',
      label: t('admin.folder_file'),
      isHeading: true,
      cell: ({ id, name }) => (
        <Link to={`/admin/content/folder/${id}`} className="link -my-1 inline-block py-1">
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { name: 'when', label: t('admin.folder_when'), cell: ({ createdAt }) => <Time value={createdAt} /> },
    { name: 'by', label: t('admin.folder_by'), cell: ({ by }) => (by === null ? null : <bdi>{by}</bdi>) },
    { name: 'state', label: t('admin.content_state'), cell: ({ state }) => <ImportState state={state} /> },
    ...(['added', 'changed', 'withdrawn'] as const).map((name) => ({
      name,
      label: t(`admin.folder_${name}`),
      isNumber: true,
      cell: ({ summary }: Row) => (summary ? number(summary[name]) : null),
    })),
  ];
}
