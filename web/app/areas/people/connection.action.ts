import { askToConnect, moveConnection } from '@officium/contract/account';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import type { MessageKey } from '../../message-keys.ts';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import type { Route } from './+types/connection.action';

/** The status each button of connect.tsx requests, and its success message. */
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

/** Requests, answers, withdraws or ends a connection. */
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
  // Asking a user who has already asked connects both at once.
  const key = move?.key ?? (status === 'accepted' ? 'people.now_connected' : 'people.request_sent');
  return redirectWith(back, { key, values: { name: peer.name }, tone: status === 'accepted' ? 'success' : 'info' });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/people/${params.id}`);
}
