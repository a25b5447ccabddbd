import { data } from 'react-router';
import { readPerson } from '@officium/contract/admin-people';
import { eraseUser } from '@officium/contract/people';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { NameForm } from './name-form.tsx';
import { refusalOfName } from './name.act.ts';
import type { Route } from './+types/people-erase.page';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer } = await loadAdmin(request, context);
  if (params.id === viewer.id) throw data(null, { status: 403 }); // your own account is deleted
  const { name, posts, certificates, enrolments, communities, cohorts } = await api(readPerson, {
    params: { id: params.id },
  });
  return { id: params.id, name, posts, certificates, lost: { enrolments, communities, cohorts } };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const { name } = await api(readPerson, { params: { id: params.id } });
  const refused = refusalOfName(fields, name);
  if (refused) return refused;
  const erased = await attempt(eraseUser, { params: { id: params.id } });
  return erased.ok ? redirectWith('/admin/people', { key: 'admin.people_erased', values: { name } }) : erased.refusal;
}

export default function ErasePerson({ loaderData }: Route.ComponentProps) {
  const { id, name, posts, certificates, lost } = loaderData;
  const { t } = useText();
  return (
    <Admin title={t('admin.people_erase_of', { name })}>
      <div className="max-w-prose">
        <p>{t('admin.people_erase_text')}</p>
        <ul className="mt-3 list-disc space-y-1 ps-6">
          <li>{t('admin.people_lost_account')}</li>
          <li>{t('admin.people_lost_places', { count: lost.enrolments.total })}</li>
          <li>{t('admin.people_lost_certificates', { count: certificates })}</li>
          <li>{t('admin.people_lost_groups', { communities: lost.communities.total, cohorts: lost.cohorts.total })}</li>
        </ul>
        <p className="mt-3">{t('admin.people_erase_stays', { count: posts })}</p>
      </div>
      <NameForm person={{ id, name }} button={t('admin.people_erase_now')} look="danger" />
    </Admin>
  );
}
