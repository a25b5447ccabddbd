import { readActivity } from '@officium/contract/community';
import { castVote, retractVote } from '@officium/contract/polls';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { optionalOf, textOf } from '../../form/fields.ts';
import { redirect } from '../../server/redirect.ts';
import { withoutFewVotes } from '../../ui/poll-few.ts';
import { pageBefore, wantsPage } from './sender.ts';
import type { Route } from './+types/vote.action';

/**
 * Casts, moves or withdraws a vote. With script the response is the updated poll, else a redirect to the page before.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields, origin, locale } = await act(request, context);
  const slug = textOf(fields, 'community');
  const retracted = optionalOf(fields, 'retract');
  const done = retracted
    ? await attempt(retractVote, { params: { id: retracted } })
    : await attempt(castVote, { params: { id: textOf(fields, 'option') }, body: {} });

  if (!wantsPage(request)) {
    if (!done.ok) return done.refusal;
    const { poll } = await api(readActivity, { params: { slug, id: params.id }, query: { locale } });
    return { poll: poll && withoutFewVotes(poll) };
  }
  const back = pageBefore(request, origin, `/communities/${slug}/activities/${params.id}`);
  if (done.ok) return redirect(`${back}#${params.id}`);
  const isClosed = done.failure.code === 'community.poll_closed';
  return redirectWith(back, {
    key: isClosed ? 'errors.community.poll_closed' : 'community.not_done',
    tone: 'danger',
  });
}

export function loader() {
  return redirect('/communities');
}
