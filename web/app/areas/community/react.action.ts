import { redirect } from 'react-router';
import { createActivityReaction, createChildReaction, deleteReaction } from '@officium/contract/community';
import { act } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import type { Route } from './+types/react.action';
import { optionalOf, pageBefore, textOf, wantsPage } from './fields.ts';
import type { LikeAnswer } from './like.tsx';

/** Likes and pins, of posts and replies, on and off. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, origin } = await act(request, context);
  const { slug } = params;
  const reply = optionalOf(fields, 'reply');
  const id = reply ?? textOf(fields, 'activity');
  const kind = fields.has('pin') || fields.has('unpin') ? ('pin' as const) : ('like' as const);
  const isOn = fields.has(kind);

  const add = () =>
    attempt(reply ? createChildReaction : createActivityReaction, { params: { slug, id }, body: { kind } });
  let own: string | null = null;
  let known = isOn ? '' : textOf(fields, `un${kind}`);
  let done: { ok: true } | Awaited<ReturnType<typeof add>> = { ok: true };
  // Without the id of what is to be taken back: adding it again changes nothing and answers the id.
  if (isOn || !known) {
    const added = await add();
    done = added;
    if (added.ok) own = known = added.body.id;
  }
  if (!isOn && done.ok) {
    const removed = await attempt(deleteReaction, { params: { slug, id: known } });
    if (removed.ok || removed.failure.status === 404) own = null;
    else done = removed;
  }

  if (!wantsPage(request) && kind === 'like') return done.ok ? ({ like: own } satisfies LikeAnswer) : done.refusal;
  const back = pageBefore(request, origin, `/communities/${slug}`);
  if (!done.ok) return redirectWith(back, { key: 'community.not_done', tone: 'danger' });
  if (kind === 'pin') return redirectWith(back, { key: isOn ? 'community.pinned_done' : 'community.unpinned_done' });
  return redirect(`${back}#${id}`);
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/communities/${params.slug}`);
}
