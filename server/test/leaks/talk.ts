import * as community from '@officium/contract/community';
import { createArticle } from '@officium/contract/content';
import { appealDecision, listMyDecisions } from '@officium/contract/decisions';
import { decideReports, reportContent } from '@officium/contract/moderation';
import { castVote, createCommunityPoll, createPoll } from '@officium/contract/polls';
import { shareArticle } from '@officium/contract/shares';
import { makePerson } from '../factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '../factories/communities.ts';
import { ADMINISTRATOR, type Names, NO_SLUG, NOBODY, type Planting, PRIVATE, PUBLIC_SERVANTS } from './planting.ts';

const OPTIONS = [1, 2, 3].map((position) => ({ position, body: `Option ${position}` }));
const NEW_POLL = { title: 'Which?', options: OPTIONS };

/** Records the community as the home of the post. */
async function postAs({ call, homes }: Planting, person: { as: object }, slug: string, body: object) {
  const { id } = await call(community.createActivity, person.as, { params: { slug }, body });
  homes.set(id, [slug]);
  return { id: id as string };
}
async function replyAs(
  { call, homes }: Planting,
  person: { as: object },
  params: { slug: string; id: string },
  body: string,
) {
  const { id } = await call(community.createActivityReaction, person.as, { params, body: { kind: 'reply', body } });
  homes.set(id, [params.slug]);
  return { id: id as string };
}
async function pollAs({ call, homes }: Planting, person: { as: object }, slug: string, body: object) {
  const poll = await call(createCommunityPoll, person.as, { params: { slug }, body });
  homes.set(poll.id, [slug]);
  return poll as { id: string; optionIds: string[] };
}
const answerAs = ({ call }: Planting, person: { as: object }, at: { slug: string; id: string }) =>
  call(community.createChildReaction, person.as, { params: at, body: { kind: 'reply', body: 'An answer to it' } });

/** An open community with posts, polls with hidden results, and deleted content. */
export async function plantPlaza(planting: Planting) {
  const { test, people, plant, call } = planting;
  const { victim, owner, member, moderator } = people;
  const { db } = test.ctx;
  const plaza = await makeCommunity(db, { slug: 'plaza', categories: ['ideas'] });
  await makeMember(db, plaza, owner, { role: 'owner' });
  await makeMember(db, plaza, moderator, { level: 3 });
  await makeMember(db, plaza, member);
  await makeMember(db, plaza, victim);
  const voters = await Promise.all(Array.from({ length: 50 }, () => makePerson(test, { visibility: 'private' })));
  for (const voter of voters) await makeMember(db, plaza, voter);

  const slug = plaza.slug;
  const open = await postAs(planting, victim, slug, {
    body: `To {{${owner.id}}} and {{${victim.id}}}`,
    categories: ['ideas'],
  });
  const reply = await replyAs(planting, victim, { slug, id: open.id }, 'A reply for all');
  await answerAs(planting, owner, { slug, id: reply.id });
  await call(community.createActivityReaction, owner.as, { params: { slug, id: open.id }, body: { kind: 'like' } });
  await postAs(planting, owner, slug, { title: 'By somebody of the usual kind' });

  const poll = await pollAs(planting, owner, slug, NEW_POLL);
  await postAs(planting, victim, slug, { title: 'After the poll' });
  const openPoll = await pollAs(planting, owner, slug, { ...NEW_POLL, settings: { results_visibility: 'always' } });
  const openVote = await call(castVote, voters[0]!.as, { params: { id: openPoll.optionIds[0] }, body: {} });
  const profilePoll = await call(createPoll, owner.as, { body: NEW_POLL });
  const note = plant('a note of a report', ['moderator', 'owner', 'administrator']);
  const report = { community: slug, kind: 'activity', id: open.id, reason: 'other', note };
  await call(reportContent, voters[1]!.as, { body: report });
  const deleted = await plantDeleted(planting, slug, open.id);
  const decisionId = await plantRemoved(planting, slug);
  const names: Names = {
    'communities/slug': [slug, NO_SLUG],
    'activities/id': [open.id, poll.id, deleted.postId],
    'reactions/id': [reply.id, deleted.replyId],
    'polls/id': [poll.id, openPoll.id, profilePoll.id],
    'decisions/id': [decisionId],
    'payloads/id': [open.id, reply.id, poll.id, deleted.postId, deleted.replyId],
    'translations/locale': ['en'],
  };
  return {
    plaza,
    names,
    voters,
    poll,
    openPoll,
    /** The first voter's vote in the open poll. */
    openVoteId: openVote.id as string,
    openPostId: open.id,
    openReplyId: reply.id,
    decisionId,
  };
}

/** A post that a moderator removed and its author appealed; returns the decision's id. */
async function plantRemoved(planting: Planting, slug: string): Promise<string> {
  const { people, plant, call } = planting;
  const { victim, moderator } = people;
  const viewers = ['victim', 'moderator', 'owner', 'administrator'] as const;
  const body = plant('removed by a moderator', viewers);
  const post = await postAs(planting, victim, slug, { title: 'Not for here', body });
  const note = plant('note of a decision', viewers);
  const thing = { community: slug, kind: 'activity', id: post.id };
  await call(decideReports, moderator.as, { body: { ...thing, decision: 'remove', reason: 'other', note } });
  const { decisions } = await call(listMyDecisions, victim.as, {});
  const { id } = decisions[0];
  await call(appealDecision, victim.as, { params: { id }, body: { text: plant('an appeal', viewers) } });
  return id;
}

async function plantDeleted(planting: Planting, slug: string, openPostId: string) {
  const { people, plant, call } = planting;
  const { victim, owner } = people;
  const post = await postAs(planting, victim, slug, {
    title: plant('deleted title', NOBODY),
    body: plant('deleted body', NOBODY),
    additional_data: { note: plant('deleted data', NOBODY) },
  });
  await replyAs(planting, victim, { slug, id: post.id }, plant('reply to the deleted', NOBODY));
  await call(community.deleteActivity, victim.as, { params: { slug, id: post.id } });
  const reply = await replyAs(planting, victim, { slug, id: openPostId }, plant('deleted reply', NOBODY));
  await answerAs(planting, owner, { slug, id: reply.id });
  await call(community.deleteReaction, victim.as, { params: { slug, id: reply.id } });
  return { postId: post.id, replyId: reply.id };
}

/** A hidden community that the stranger has left. */
export async function plantHidden(planting: Planting) {
  const { test, people, plant, call } = planting;
  const { victim, stranger } = people;
  const { db } = test.ctx;
  const category = plant('hidden category', PRIVATE);
  const hidden = await makeCommunity(db, {
    slug: plant('hidden slug', PRIVATE),
    title: { en: plant('hidden title', PRIVATE) },
    description: { en: plant('hidden description', PRIVATE) },
    privacy: 'closed-hidden',
    canView: 'public',
    canJoin: 'authenticated',
    categories: [category],
  });
  const { slug } = hidden;
  await makeMember(db, hidden, victim, { role: 'owner' });
  await makeMember(db, hidden, stranger);
  const post = await postAs(planting, victim, slug, {
    title: plant('hidden post title', PRIVATE),
    body: `${plant('hidden post', PRIVATE)} {{${stranger.id}}}`,
    categories: [category],
    additional_data: { note: plant('hidden data', PRIVATE) },
  });
  const reply = await replyAs(planting, victim, { slug, id: post.id }, plant('hidden reply', PRIVATE));
  await replyAs(planting, stranger, { slug, id: post.id }, plant('reply of who left', PRIVATE));
  await call(community.leaveCommunity, stranger.as, { params: { slug } });
  const poll = await pollAs(planting, victim, slug, {
    title: plant('hidden poll', PRIVATE),
    options: OPTIONS.map(({ position }) => ({ position, body: plant(`hidden option ${position}`, PRIVATE) })),
  });
  const note = plant('note of a vote', NOBODY);
  await call(castVote, victim.as, { params: { id: poll.optionIds[0] }, body: { note } });
  const names: Names = {
    'communities/slug': [slug],
    'activities/id': [post.id, poll.id],
    'reactions/id': [reply.id],
    'polls/id': [poll.id],
    'payloads/id': [post.id, reply.id, poll.id],
    'entries/id': [hidden.entryId],
    'products/id': [hidden.entryId],
    'link-previews/encodedUrl': [Buffer.from(`http://localhost:3000/communities/${slug}`).toString('base64url')],
  };
  return { hidden: { ...hidden, postId: post.id, optionIds: poll.optionIds }, names };
}

/** Partly hidden communities: from non-members, from lists, from non-public servants, from everyone. */
export async function plantHalfHidden(planting: Planting): Promise<Names> {
  const { test, people, plant } = planting;
  const { db } = test.ctx;
  const unlisted = ['unlisted'];
  const made: [TestCommunity, string][] = [
    [await makeCommunity(db, { privacy: 'closed-visible' }), plant('post for members', PRIVATE)],
    [await makeCommunity(db, { slug: 'unlisted', privacy: 'open-hidden' }), plant('unlisted post', PRIVATE, unlisted)],
    [await makeCommunity(db, { canView: 'verified' }), plant('post for public servants', PUBLIC_SERVANTS)],
    [
      await makeCommunity(db, { title: { en: plant('withdrawn title', ADMINISTRATOR) } }),
      plant('withdrawn post', NOBODY),
    ],
  ];
  const names: { [place: string]: string[] } = { 'communities/slug': [], 'activities/id': [], 'payloads/id': [] };
  for (const [place, text] of made) {
    await makeMember(db, place, people.victim, { role: 'owner' });
    const { id } = await postAs(planting, people.victim, place.slug, { body: text });
    if (place.slug === 'unlisted') unlisted.push(id);
    names['communities/slug']?.push(place.slug);
    names['activities/id']?.push(id);
    names['payloads/id']?.push(id);
  }
  const [withdrawn] = made.at(-1) ?? [];
  await db
    .updateTable('entries')
    .set({ status: 'withdrawn' })
    .where('id', '=', withdrawn?.entryId ?? '')
    .execute();
  return names;
}

/** Articles for everyone, one of them shared with the hidden community. */
export async function plantArticles({ people, plant, call }: Planting, hidden: { slug: string }) {
  const { victim, owner } = people;
  const body = { title: 'An article for all', subtitle: 'By somebody private', body: 'Ten characters and more.' };
  const { slug } = await call(createArticle, victim.as, { body });
  await call(createArticle, owner.as, { body: { ...body, subtitle: 'By the usual author' } });
  const share = (title: string, to: string) =>
    call(shareArticle, victim.as, { params: { slug }, body: { title, communities: [to] } });
  await share(plant('hidden share', PRIVATE), hidden.slug);
  await share('For all', 'plaza');
  return { articleSlug: slug as string, names: { 'articles/slug': [slug] } as Names };
}
