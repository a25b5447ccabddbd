import {
  createActivityReaction,
  createChildReaction,
  deleteReaction,
  listActivityReactions,
} from '@officium/contract/community';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { optionalOf, textOf } from '../../form/fields.ts';
import { redirect } from '../../server/redirect.ts';
import { pageBefore, wantsPage } from './sender.ts';
import type { Route } from './+types/react.action';
import type { LikeAnswer } from './like.tsx';

/** Adds and removes likes and pins of posts and replies. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, origin } = await act(request, context);
  const { slug } = params;
  const reply = optionalOf(fields, 'reply');
  const id = reply ?? textOf(fields, 'activity');
  const kind = fields.has('pin') || fields.has('unpin') ? ('pin' as const) : ('like' as const);
  const isOn = fields.has(kind);

  if (kind === 'pin') {
    const done = await (isOn ? add() : unpin());
    const back = pageBefore(request, origin, `/communities/${slug}`);
    if (!done.ok) return redirectWith(back, { key: 'community.not_done', tone: 'danger' });
    return redirectWith(back, { key: isOn ? 'community.pinned_done' : 'community.unpinned_done' });
  }

  let own: string | null = null;
  let known = isOn ? '' : textOf(fields, 'unlike');
  let done: { ok: true } | Awaited<ReturnType<typeof add>> = { ok: true };
  // The id of the reaction to remove is unknown: adding it again changes nothing and returns the id.
  if (isOn || !known) {
    const added = await add();
    done = added;
    if (added.ok) own = known = added.body.id;
  }
  if (!isOn && done.ok) {
    const removed = await takeBack(known);
    if (removed.ok) own = null;
    else done = removed;
  }
  if (!wantsPage(request)) return done.ok ? ({ like: own } satisfies LikeAnswer) : done.refusal;
  const back = pageBefore(request, origin, `/communities/${slug}`);
  if (!done.ok) return redirectWith(back, { key: 'community.not_done', tone: 'danger' });
  return redirect(`${back}#${id}`);

  function add() {
    return attempt(reply ? createChildReaction : createActivityReaction, { params: { slug, id }, body: { kind } });
  }

  /** A reaction that is already gone counts as removed. */
  async function takeBack(reactionId: string) {
    const removed = await attempt(deleteReaction, { params: { slug, id: reactionId } });
    return removed.ok || removed.failure.status === 404 ? { ok: true as const } : removed;
  }

  /** Moderators pin separately; the post is unpinned when no pin is left. */
  async function unpin() {
    const pins = await attempt(listActivityReactions, { params: { slug, id }, query: { kind: 'pin', limit: '100' } });
    if (!pins.ok) return pins;
    const removed = await Promise.all(pins.body.results.map((pin) => takeBack(pin.id)));
    return removed.find((one) => !one.ok) ?? { ok: true as const };
  }
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/communities/${params.slug}`);
}
