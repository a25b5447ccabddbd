import { joinCommunity, leaveCommunity, readCommunity } from '@officium/contract/community';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import type { MessageKey } from '../../message-keys.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/membership.action';

/** Joins, asks to join, or leaves. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields, locale } = await act(request, context);
  const back = safePath(fields.get('next'), `/communities/${params.slug}`);
  const { title } = await api(readCommunity, { params, query: { locale } });

  if (fields.get('intent') === 'leave') {
    const left = await attempt(leaveCommunity, { params });
    if (left.ok) return redirectWith(back, { key: 'community.left', values: { title }, tone: 'info' });
    return refused(back, left.failure.code === 'community.last_owner' ? 'errors.community.last_owner' : undefined);
  }
  const joined = await attempt(joinCommunity, { params });
  if (!joined.ok) return refused(back);
  return joined.body.status === 'active'
    ? redirectWith(back, { key: 'community.joined', values: { title } })
    : redirectWith(back, { key: 'community.asked', values: { title }, tone: 'info' });
}

function refused(back: string, key: MessageKey = 'community.not_done') {
  return redirectWith(back, { key, tone: 'danger' });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/communities/${params.slug}`);
}
