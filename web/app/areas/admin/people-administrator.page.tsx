import { readPerson } from '@officium/contract/admin-people';
import { data } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { redirectWith } from '../../form/flash.ts';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { NameForm } from './name-form.tsx';
import { refusalOfName } from './name.act.ts';
import type { Route } from './+types/people-administrator.page';
import { giveRole } from './person-role.act.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer } = await loadAdmin(request, context);
  if (params.id === viewer.id) throw data(null, { status: 403 }); // nobody changes their own role
  const { name, email } = await api(readPerson, { params: { id: params.id } });
  return { id: params.id, name, email };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const { name } = await api(readPerson, { params: { id: params.id } });
  const refused = refusalOfName(fields, name);
  if (refused) return refused;
  const given = await giveRole({ api, attempt, id: params.id }, 'administrator');
  if (!given.ok) return given.refusal;
  return redirectWith(`/admin/people/${params.id}`, { key: 'admin.people_administrator_made', values: { name } });
}

export default function MakeAdministrator({ loaderData }: Route.ComponentProps) {
  const { id, name, email } = loaderData;
  const { t } = useText();
  return (
    <Admin title={t('admin.people_administrator_of', { name })} intro={<bdi>{email}</bdi>}>
      <p className="max-w-prose">{t('admin.people_administrator_text')}</p>
      <NameForm person={{ id, name }} button={t('admin.people_administrator_now')} />
    </Admin>
  );
}
