import { askToConnect, moveConnection } from '@officium/contract/account';
import { act } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import type { MessageKey } from '../../message-keys.ts';
import { redirect } from '../../redirect.ts';
import { safePath } from '../../safe-path.ts';
import type { Route } from './+types/connection.action';

/** What each button of connect.tsx asks for, and what is said when it is done. */
const MOVES: Record<string, { status: 'accepted' | 'declined' | 'cancelled' | 'removed'; key: MessageKey }> = {
  accept: { status: 'accepted', key: 'people.now_connected' },
  decline: { status: 'declined', key: 'people.request_declined' },
  withdraw: { status: 'cancelled', key: 'people.request_withdrawn' },
  remove: { status: 'removed', key: 'people.connection_removed' },
};

const REFUSALS: Record<string, MessageKey> = {
  'account.connection_move': 'errors.account.connection_move',
  'account.connection_wait': 'errors.account.connection_wait',
  'request.too_many': 'errors.request.too_many',
};

/** Asking somebody to connect, answering, taking it back, ending it. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const back = safePath(fields.get('next'), `/people/${params.id}`);
  const move = MOVES[String(fields.get('intent'))];
  const done = move
    ? await attempt(moveConnection, { params: { peerId: params.id }, body: { status: move.status } })
    : await attempt(askToConnect, { body: { peerId: params.id } });
  if (!done.ok)
    return redirectWith(back, { key: REFUSALS[done.failure.code ?? ''] ?? 'community.not_done', tone: 'danger' });
  const { peer, status } = done.body;
  // Who asks somebody that has asked already is connected at once.
  const key = move?.key ?? (status === 'accepted' ? 'people.now_connected' : 'people.request_sent');
  return redirectWith(back, { key, values: { name: peer.name }, tone: status === 'accepted' ? 'success' : 'info' });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/people/${params.id}`);
}
