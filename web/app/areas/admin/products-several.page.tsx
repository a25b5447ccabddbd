import { PERMISSIONS, readProductPermissions } from '@officium/contract/admin';
import type { ReplyOf } from '@officium/contract/endpoint';
import {
  ACCESS_SCOPES,
  MAX_CHANGED_TOGETHER,
  previewProductAccess,
  setPermissionOfProducts,
  type AccessScope,
} from '@officium/contract/product-access';
import { data, Link } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/products-several.page';
import { oneOf, scopeWord, typeWord } from './access-words.ts';
import { backTo } from './products-list.ts';

const LIST = '/admin/products';
type Permission = (typeof PERMISSIONS)[number];
type Row = Pick<
  ReplyOf<typeof previewProductAccess>,
  'id' | 'title' | 'contentType' | 'view' | 'join' | 'becomesPublic'
> & { now: AccessScope; isUnfit: boolean };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const query = url.searchParams.get('back') ?? '';
  const ids = [...new Set(url.searchParams.getAll('id'))].slice(0, MAX_CHANGED_TOGETHER);
  const permission = oneOf(PERMISSIONS, url.searchParams.get('permission'));
  const scope = oneOf(ACCESS_SCOPES, url.searchParams.get('scope'));
  if (!permission || !scope) throw data(null, { status: 404 });
  if (ids.length === 0) return redirectWith(backTo(LIST, query), { key: 'admin.products_several_none', tone: 'info' });
  const rows: Row[] = [];
  // One after the other: each preview counts people, which takes several connections.
  for (const id of ids) {
    const { permissions } = await api(readProductPermissions, { params: { id } });
    const wanted = { ...permissions, [permission]: scope };
    const isUnfit = ACCESS_SCOPES.indexOf(wanted.can_join) < ACCESS_SCOPES.indexOf(wanted.can_view);
    const preview = await api(previewProductAccess, { params: { id }, query: isUnfit ? permissions : wanted });
    const now = preview.reason === 'as-course' ? preview.effective[permission] : permissions[permission];
    rows.push({ ...preview, now, isUnfit });
  }
  return { rows, permission, scope, query };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const ids = fields.getAll('id').map(String);
  const done = await attempt(setPermissionOfProducts, {
    body: {
      ids,
      permission: oneOf(PERMISSIONS, textOf(fields, 'permission')) ?? 'can_join',
      scope: oneOf(ACCESS_SCOPES, textOf(fields, 'scope')) ?? 'private',
    },
  });
  if (!done.ok) return done.refusal;
  return redirectWith(backTo(LIST, textOf(fields, 'back')), {
    key: 'admin.products_several_done',
    values: { count: ids.length },
  });
}

export default function ProductsSeveral({ loaderData }: Route.ComponentProps) {
  const { rows, permission, scope, query } = loaderData;
  const text = useText();
  const { t } = text;
  const back = backTo(LIST, query);
  const fit = rows.filter(({ isUnfit }) => !isUnfit);
  const columns = useColumns(permission, scope);
  return (
    <Admin
      title={t('admin.products_several')}
      intro={t(permission === 'can_view' ? 'admin.products_view' : 'admin.products_join')}
      crumb={
        <p className="mb-2 text-sm">
          <Link to={back} className="link inline-block py-1.5">
            {t('admin.products_back')}
          </Link>
        </p>
      }
    >
      <DataTable caption={t('admin.products_several')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      <p className="mt-3 text-sm text-muted">{t('admin.products_counted')}</p>
      {fit.some(({ becomesPublic }) => becomesPublic) ? (
        <div className="mt-6 max-w-prose">
          <Notice tone="danger" title={t('admin.products_public_title')}>
            {t('admin.products_public_text')}
          </Notice>
        </div>
      ) : null}
      <Confirm rows={fit} {...{ permission, scope, query, back }} />
    </Admin>
  );
}

function useColumns(permission: Permission, scope: AccessScope): Column<Row>[] {
  const text = useText();
  const { t } = text;
  const people = permission === 'can_view' ? 'view' : 'join';
  return [
    {
      name: 'title',
      label: t('admin.products_title'),
      isHeading: true,
      cell: ({ title, contentType }) => (
        <>
          <span dir="auto" className="block">
            {title}
          </span>
          <span className="block font-normal text-muted">{typeWord(text, contentType)}</span>
        </>
      ),
    },
    { name: 'now', label: t('admin.products_now'), cell: ({ now }) => scopeWord(text, now) },
    {
      name: 'then',
      label: t('admin.products_then'),
      cell: ({ isUnfit }) =>
        isUnfit ? <span className="text-danger">{t('admin.products_several_unfit')}</span> : scopeWord(text, scope),
    },
    {
      name: 'people',
      label: t('admin.products_several_people'),
      isNumber: true,
      cell: (row) => (row.isUnfit ? null : t('admin.products_several_from_to', row[people])),
    },
  ];
}

type ConfirmProps = { rows: Row[]; permission: Permission; scope: AccessScope; query: string; back: string };

function Confirm({ rows, permission, scope, query, back }: ConfirmProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('confirm');
  const becomesPublic = rows.some((row) => row.becomesPublic);
  return (
    <SmartForm intent="confirm" className="mt-6 flex flex-wrap gap-3">
      {rows.map(({ id }) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      <input type="hidden" name="permission" value={permission} />
      <input type="hidden" name="scope" value={scope} />
      <input type="hidden" name="back" value={query} />
      {rows.length > 0 ? (
        <Button look={becomesPublic ? 'danger' : 'primary'} isBusy={isSubmitting}>
          {t('admin.products_several_confirm', { count: rows.length })}
        </Button>
      ) : null}
      <LinkButton look="secondary" to={back}>
        {t('admin.products_cancel')}
      </LinkButton>
    </SmartForm>
  );
}
