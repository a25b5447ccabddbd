import { UNUSED_FILE_DAYS } from '@officium/contract/authoring';
import { listMedia } from '@officium/contract/media-library';
import { Form, Link } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { PAGE_SIZE } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/media-list.page';
import { LIBRARY, type MediaFilters, mediaFiltersOf, placesOf } from './media-list.ts';
import { MediaTable } from './media-table.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, viewer } = await loadAdmin(request, context, 'edit-content');
  const filters = mediaFiltersOf(url);
  const after = url.searchParams.get('after')?.slice(0, 2000);
  const page = { limit: String(PAGE_SIZE), ...(after ? { continuationToken: after } : {}) };
  const { files, continuationToken } = await api(listMedia, { query: { ...filters, ...page } });
  const isAll = viewer.role === 'administrator';
  return { files, filters, isAll, days: UNUSED_FILE_DAYS, ...placesOf(url, after, continuationToken) };
}

export default function MediaList({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { files, filters, isAll, days, first, next } = loaderData;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Admin
      title={t('admin.media_library')}
      crumb={
        <p className="text-sm">
          <Link to="/admin/content" className="link inline-block py-1.5">
            {t('admin.content')}
          </Link>
        </p>
      }
      intro={isAll ? t('admin.media_library_intro', { days }) : t('admin.media_library_intro_own')}
    >
      <Filters filters={filters} isAll={isAll} isFiltered={isFiltered} />
      {first ? (
        <p className="mt-4">
          <Link to={first} className="link inline-block py-1.5">
            {t('admin.content_first_page')}
          </Link>
        </p>
      ) : null}
      <div className="mt-4">
        {files.length > 0 ? (
          <MediaTable files={files} isAll={isAll} />
        ) : (
          <EmptyState title={t('admin.table_empty')}>{isFiltered ? t('admin.table_none_found') : null}</EmptyState>
        )}
      </div>
      <Pagination next={next} />
    </Admin>
  );
}

/** A plain form, so that it works without script. Files that nothing uses are for administrators. */
function Filters({ filters, isAll, isFiltered }: { filters: MediaFilters; isAll: boolean; isFiltered: boolean }) {
  const { t } = useText();
  const kinds = LIBRARY.map((kind) => ({ value: kind, label: t(`admin.media_kind_${kind}`) }));
  return (
    <Form
      key={JSON.stringify(filters)} // fields keep what was typed when only the address changes
      method="get"
      role="search"
      className="grid items-end gap-4 border-y border-line py-5 sm:grid-cols-2 xl:grid-cols-3"
    >
      <Field name="q" type="search" label={t('admin.media_search')} defaultValue={filters.q} hideOptional />
      <Select
        name="kind"
        label={t('admin.content_kind')}
        options={[{ value: '', label: t('admin.content_all') }, ...kinds]}
        defaultValue={filters.kind ?? ''}
        hideOptional
      />
      {isAll ? (
        <Checkbox
          name="unused"
          value="true"
          label={t('admin.media_unused_only')}
          defaultChecked={filters.unused === 'true'}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button look="secondary">{t('admin.content_show')}</Button>
        {isFiltered ? (
          <Link to="/admin/content/media" className="link inline-block py-1.5">
            {t('admin.audit_reset')}
          </Link>
        ) : null}
      </div>
    </Form>
  );
}
