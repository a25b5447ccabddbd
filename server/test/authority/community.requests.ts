import { makeMember } from '../factories/communities.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import type { Requests } from './requests.ts';
import * as things from './things.ts';
import type { Cell, Sent } from './fixture.ts';

const POST = { title: 'Hello' };
const POLL = { title: 'Which one?', options: ['This', 'That'].map((body, index) => ({ position: index + 1, body })) };
const REPLY = { kind: 'reply', body: 'Hello' };
const LIKE = { kind: 'like' };
const PIN = { kind: 'pin' };
/** Kinds that the generic routes reject. */
const POLL_KINDS = [{ kind: 'poll-vote' }, { kind: 'poll-option' }];

const placeOf = ({ community }: Cell): { communityId: string } => ({ communityId: community.id });
const inCommunity = ({ community }: Cell, params = {}): Sent => ({ params: { slug: community.slug, ...params } });

/** Authors of the content that a row refers to. */
const me = ({ me }: Cell) => me;
const other = ({ fixture }: Cell) => fixture.bystander;
const anOwner = ({ fixture }: Cell) => fixture.owner;
type AuthorOf = (cell: Cell) => TestPerson;

const post = async (cell: Cell, by: AuthorOf = other) => await things.makePost(cell.test, placeOf(cell), by(cell));
const poll = async (cell: Cell, by: AuthorOf = other) => await things.makePoll(cell.test, placeOf(cell), by(cell));
const reaction = async (cell: Cell, by: AuthorOf = other, kind?: 'like') =>
  await things.makeReaction(cell.test, placeOf(cell), await post(cell), by(cell), kind);

const onPost =
  (body?: object, by?: AuthorOf) =>
  async (cell: Cell): Promise<Sent> => ({ ...inCommunity(cell, { id: await post(cell, by) }), body });
const onReaction =
  (body?: object, by?: AuthorOf, kind?: 'like') =>
  async (cell: Cell): Promise<Sent> => ({ ...inCommunity(cell, { id: await reaction(cell, by, kind) }), body });
const onPoll =
  (by?: AuthorOf) =>
  async (cell: Cell): Promise<Sent> =>
    inCommunity(cell, { id: (await poll(cell, by)).id });
const removeByPath =
  (by?: AuthorOf) =>
  async (cell: Cell): Promise<Sent> => ({ params: { id: (await poll(cell, by)).id } });

const thingOf = ({ community }: Cell, kind: 'activity' | 'reaction', id: string) => ({
  community: community.slug,
  kind,
  id,
});

async function newcomer(cell: Cell, status: 'active' | 'pending', level: 1 | 3 | null = null): Promise<TestPerson> {
  const person = await makePerson(cell.test);
  await makeMember(cell.test.ctx.db, cell.community, person, { status, level });
  return person;
}
const onMember =
  (body: object | undefined, status: 'active' | 'pending' = 'active', level: 1 | 3 | null = null) =>
  async (cell: Cell): Promise<Sent> => ({
    ...inCommunity(cell, { userId: (await newcomer(cell, status, level)).id }),
    body,
  });

const onDecision =
  (by: AuthorOf = other, body?: object, isAppealed = false) =>
  async (cell: Cell): Promise<Sent> => ({
    params: { id: await things.makeDecision(cell.test, placeOf(cell), by(cell), isAppealed) },
    body,
  });

export const communityRequests: Requests = {
  listCommunities: () => ({}),
  readCommunity: inCommunity,
  'findMovedPage of a community': ({ community }) => ({ query: { path: `/communities/was-${community.slug}` } }),
  listActivities: inCommunity,
  listSharedDiscussions: inCommunity,
  createActivity: (cell) => ({ ...inCommunity(cell), body: POST }),
  uploadPostPicture: (cell) => ({ ...inCommunity(cell), picture: true }),
  readActivity: onPost(),
  explainActivityRank: onPost(),
  'updateActivity own': onPost(POST, me),
  'updateActivity other': onPost(POST),
  'deleteActivity own': onPost(undefined, me),
  'deleteActivity other': onPost(),
  'deleteActivity of an owner': onPost(undefined, anOwner),

  'createActivityReaction like': onPost(LIKE),
  'createActivityReaction reply': onPost(REPLY),
  'createActivityReaction pin': onPost(PIN),
  'createActivityReaction poll-vote': onPost(POLL_KINDS[0]),
  'createActivityReaction poll-option': onPost(POLL_KINDS[1]),
  listActivityReactions: onPost(),
  'createChildReaction like': onReaction(LIKE),
  'createChildReaction reply': onReaction(REPLY),
  'createChildReaction poll-vote': onReaction(POLL_KINDS[0]),
  'createChildReaction poll-option': onReaction(POLL_KINDS[1]),
  listChildReactions: onReaction(),
  locateReaction: onReaction(),
  'updateReaction own': onReaction({ body: 'Hello again' }, me),
  'updateReaction other': onReaction({ body: 'Hello again' }),
  'deleteReaction own like': onReaction(undefined, me, 'like'),
  'deleteReaction own reply': onReaction(undefined, me),
  'deleteReaction other': onReaction(),
  'deleteReaction of an owner': onReaction(undefined, anOwner),

  listMembers: inCommunity,
  'listMembers pending': (cell) => ({ ...inCommunity(cell), query: { status: 'pending' } }),
  joinCommunity: inCommunity,
  readCommunityFollow: inCommunity,
  setCommunityFollow: (cell) => ({ ...inCommunity(cell), body: { level: 'muted' } }),
  readThreadFollow: async (cell) => ({ params: { id: await post(cell) } }),
  setThreadFollow: async (cell) => ({ params: { id: await post(cell) }, body: { level: 'watching' } }),
  leaveCommunity: inCommunity,
  'updateMember approve': onMember({ status: 'active' }, 'pending'),
  'updateMember to reduced': onMember({ level: 'reduced' }),
  'updateMember to moderator': onMember({ level: 'full-control' }),
  'updateMember to owner': onMember({ role: 'owner' }),
  'updateMember moderator': onMember({ level: 'basic' }, 'active', 3),
  'updateMember own': (cell) => ({ ...inCommunity(cell, { userId: cell.me.id }), body: { level: 'full-control' } }),
  'removeMember pending': onMember(undefined, 'pending'),
  'removeMember other': onMember(undefined),
  'removeMember moderator': onMember(undefined, 'active', 3),
  'removeMember owner': async (cell) => {
    const person = await makePerson(cell.test);
    await makeMember(cell.test.ctx.db, cell.community, person, { role: 'owner' });
    return inCommunity(cell, { userId: person.id });
  },

  'reportContent post': async (cell) => ({
    body: { ...thingOf(cell, 'activity', await post(cell)), reason: 'spam' },
  }),
  'reportContent reply': async (cell) => ({
    body: { ...thingOf(cell, 'reaction', await reaction(cell)), reason: 'spam' },
  }),
  'reportContent own': async (cell) => ({
    body: { ...thingOf(cell, 'activity', await post(cell, me)), reason: 'spam' },
  }),
  listReports: ({ community }) => ({ query: { community: community.slug } }),
  'decideReports to keep': async (cell) => ({
    body: {
      ...thingOf(cell, 'activity', await things.makeReported(cell.test, placeOf(cell), other(cell))),
      decision: 'dismiss',
    },
  }),
  'decideReports to remove': async (cell) => ({
    body: { ...thingOf(cell, 'reaction', await reaction(cell)), decision: 'remove', reason: 'hate' },
  }),
  'decideReports of an owner': async (cell) => ({
    body: { ...thingOf(cell, 'activity', await post(cell, anOwner)), decision: 'remove', reason: 'hate' },
  }),
  'decideReports own': async (cell) => ({
    body: { ...thingOf(cell, 'activity', await post(cell, me)), decision: 'remove', reason: 'hate' },
  }),

  readCommunitySettings: inCommunity,
  updateCommunitySettings: (cell) => ({
    ...inCommunity(cell),
    body: { locale: 'en', rules: ['Be kind'], slowModeSeconds: 0, postsPerDay: null },
  }),
  claimCase: async (cell) => ({ body: { ...thingOf(cell, 'activity', await post(cell)), take: true } }),
  listAppeals: ({ community }) => ({ query: { community: community.slug } }),
  listModerationLog: ({ community }) => ({ query: { community: community.slug } }),
  'readDecision own': onDecision(me),
  'readDecision other': onDecision(),
  'appealDecision own': onDecision(me, { text: 'It was meant kindly' }),
  'appealDecision other': onDecision(other, { text: 'It was meant kindly' }),
  'decideAppeal own': onDecision(me, { outcome: 'reversed' }, true),
  'decideAppeal other': onDecision(other, { outcome: 'reversed' }, true),
  'decideAppeal of an owner': onDecision(anOwner, { outcome: 'upheld' }, true),

  createCommunityPoll: (cell) => ({ ...inCommunity(cell), body: POLL }),
  'removeCommunityPoll own': onPoll(me),
  'removeCommunityPoll other': onPoll(),
  'removeCommunityPoll of an owner': onPoll(anOwner),
  readPoll: removeByPath(),
  'removePoll own in a community': removeByPath(me),
  'removePoll other in a community': removeByPath(),
  castVote: async (cell) => ({ params: { id: (await poll(cell)).optionId } }),
  'retractVote own': async (cell) => ({ params: { id: await things.makeVote(cell.test, await poll(cell), cell.me) } }),
  'retractVote other': async (cell) => ({
    params: { id: await things.makeVote(cell.test, await poll(cell), other(cell)) },
  }),

  createPoll: () => ({ body: POLL }),
  'readPoll on a profile': async (cell) => ({ params: { id: (await profilePoll(cell, other)).id } }),
  'castVote on a profile': async (cell) => ({ params: { id: (await profilePoll(cell, other)).optionId } }),
  'removePoll own on a profile': async (cell) => ({ params: { id: (await profilePoll(cell, me)).id } }),
  'removePoll other on a profile': async (cell) => ({ params: { id: (await profilePoll(cell, other)).id } }),

  shareArticle: ({ fixture, community }) => ({
    params: { slug: fixture.article },
    body: { title: 'Read this', communities: [community.slug] },
  }),
  'translatePayload post': async (cell) => ({
    params: { id: await post(cell), locale: 'en' },
    body: { payloadType: 'activity_payload' },
  }),
  'translatePayload reply': async (cell) => ({
    params: { id: await reaction(cell), locale: 'en' },
    body: { payloadType: 'reaction_payload' },
  }),
  'readPayloadTranslation post': async (cell) => ({
    params: { id: await post(cell), locale: 'en' },
    query: { payloadType: 'activity_payload' },
  }),
  'readPayloadTranslation reply': async (cell) => ({
    params: { id: await reaction(cell), locale: 'en' },
    query: { payloadType: 'reaction_payload' },
  }),
};

async function profilePoll(cell: Cell, by: AuthorOf): Promise<things.MadePoll> {
  return await things.makePoll(cell.test, { communityId: null }, by(cell));
}
