import { comparePiece, listPieceVersions, readPiece, restorePieceVersion } from '@officium/contract/authoring';
import { data, Form, Link } from 'react-router';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece-versions.page';
import { Changes } from './changes.tsx';
import { addressOf, isKind } from './kinds.ts';
import { PiecePage } from './piece-head.tsx';
import { can } from './rights.ts';

function paramsOf({ kind, key }: { kind: string; key: string }) {
  if (!isKind(kind)) throw data(null, { status: 404 });
  return { kind, key };
}

const SIZE = 25;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'read-content');
  const at = { params: paramsOf(params) };
  const { limit, offset, page } = listingOf(url, SIZE);
  const [piece, { versions, total }] = await Promise.all([
    api(readPiece, at),
    api(listPieceVersions, { ...at, query: { limit: String(limit), offset: String(offset) } }),
  ]);
  const [from, to] = [sideOf(url.searchParams.get('from')), sideOf(url.searchParams.get('to'))];
  const compared = from ? { from, to: to ?? 'draft' } : undefined;
  const changes = compared ? (await api(comparePiece, { ...at, query: compared })).changes : undefined;
  return { piece, versions, page, hasNext: offset + versions.length < total, compared, changes };
}

function sideOf(value: string | null): string | undefined {
  return value && /^(?:draft|live|[1-9]\d{0,5})$/.test(value) ? value : undefined;
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const at = paramsOf(params);
  const number = Number(textOf(fields, 'number'));
  const done = await attempt(restorePieceVersion, {
    params: { ...at, number: String(number) },
    body: { version: Number(textOf(fields, 'version')) },
  });
  return done.ok
    ? redirectWith(addressOf(at.kind, at.key), { key: 'admin.content_restored', values: { number } })
    : done.refusal;
}

export default function Versions({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { piece, versions, page, hasNext, compared, changes } = loaderData;
  const here = addressOf(piece.kind, piece.key, '/versions');
  return (
    <PiecePage piece={piece} name={t('admin.content_versions')}>
      {versions.length === 0 ? (
        <EmptyState title={t('admin.content_no_versions')}>{t('admin.content_no_versions_text')}</EmptyState>
      ) : (
        <>
          <CompareForm piece={piece} versions={versions} compared={compared} />
          {changes ? (
            <section aria-labelledby="changes" className="mt-6 border-b border-line pb-6">
              <h3 id="changes" className="mb-3 text-2xl">
                {t('admin.content_changes')}
              </h3>
              <Changes changes={changes} />
            </section>
          ) : null}
          <VersionList piece={piece} versions={versions} />
          <Pagination
            page={page}
            previous={page > 1 ? `${here}?page=${page - 1}` : undefined}
            next={hasNext ? `${here}?page=${page + 1}` : undefined}
          />
        </>
      )}
    </PiecePage>
  );
}

type Shown = Pick<Route.ComponentProps['loaderData'], 'piece' | 'versions'>;

/** Chooses the two versions to compare. */
function CompareForm({ piece, versions, compared }: Shown & Pick<Route.ComponentProps['loaderData'], 'compared'>) {
  const { t } = useText();
  const sides = [
    { value: 'draft', label: t('admin.content_now') },
    ...(piece.state === 'draft' ? [] : [{ value: 'live', label: t('admin.content_live') }]),
    ...versions.map(({ number }) => ({ value: String(number), label: t('admin.content_version', { number }) })),
  ];
  return (
    <Form method="get" className="flex flex-wrap items-end gap-4 border-b border-line pb-5">
      <Select
        name="from"
        label={t('admin.content_compare_from')}
        options={sides}
        defaultValue={String(compared?.from ?? versions[0]?.number ?? '')}
        hideOptional
      />
      <Select
        name="to"
        label={t('admin.content_compare_to')}
        options={sides}
        defaultValue={String(compared?.to ?? 'draft')}
        hideOptional
      />
      <Button look="secondary">{t('admin.content_compare')}</Button>
    </Form>
  );
}

/** The versions, each to compare with the current text or to restore. */
function VersionList({ piece, versions }: Shown) {
  const { t } = useText();
  const here = addressOf(piece.kind, piece.key, '/versions');
  return (
    <SmartForm className="contents">
      <input type="hidden" name="version" value={piece.version} />
      <ol className="mt-4 divide-y divide-line" reversed>
        {versions.map(({ number, source, by, at }) => (
          <li key={number} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <span className="min-w-0">
              <span className="font-semibold">{t('admin.content_version', { number })}</span>{' '}
              <span>{t(`admin.content_made_${source}`)}</span>
              <span className="block text-sm text-muted">
                {by ? `${by} · ` : null}
                <Time value={at} look="exact" />
              </span>
            </span>
            <span className="ms-auto flex flex-wrap items-center gap-3">
              <Link to={`${here}?from=${number}&to=draft`} className="link inline-block py-1.5">
                {t('admin.content_compare_now')}
                <span className="sr-only">: {number}</span>
              </Link>
              {piece.version > 0 && can(piece, 'publish-content') ? (
                <Button name="number" value={number} look="secondary" small>
                  {t('admin.content_restore')}
                  <span className="sr-only">: {number}</span>
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </SmartForm>
  );
}
