import { eraseUser } from '@officium/contract/people';
import { newId } from '#server/db/client.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { givePasskey } from '../factories/factors.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { makeCommunity, makeMember } from '../factories/communities.ts';
import { makeCourse } from '../factories/courses.ts';
import * as things from './things.ts';
import type { Cell } from './world.ts';

/** What an identifier in a request may name. */
export const VARIANTS = ['own', 'other', 'elsewhere', 'hidden', 'gone', 'random', 'malformed'] as const;
export type Variant = (typeof VARIANTS)[number];

type Maker = (cell: Cell) => string | Promise<string>;
/** One kind of identifier: how to come by one of each variant. */
export type Kind = Partial<Record<Variant, Maker>> & { random: Maker; malformed: Maker };

const uuid = { random: () => newId(), malformed: () => 'not-a-uuid' };
const slug = { random: () => things.fresh('nothing'), malformed: () => 'x'.repeat(257) };
const entryId = { random: () => things.fresh('nothing'), malformed: () => 'not an id' };

const here = ({ community }: Cell) => ({ communityId: community.id });
const there = ({ world }: Cell) => ({ communityId: world.elsewhere.community.id });
const behind = ({ world }: Cell) => ({ communityId: world.communities.hidden.id });
const post = async (cell: Cell, place = here(cell), by = cell.world.bystander) =>
  await things.makePost(cell.test, place, by);
const reaction = async (cell: Cell, place = here(cell), by = cell.world.bystander) =>
  await things.makeReaction(cell.test, place, await post(cell, place), by);
const poll = async (cell: Cell, place = here(cell), by = cell.world.bystander) =>
  await things.makePoll(cell.test, place, by);

async function removed(cell: Cell, id: string): Promise<string> {
  await things.removePost(cell.test, here(cell), id);
  return id;
}
/** A reply to a post that was deleted since. */
async function orphan(cell: Cell): Promise<string> {
  const activityId = await post(cell);
  const id = await things.makeReaction(cell.test, here(cell), activityId, cell.world.bystander);
  await things.removePost(cell.test, here(cell), activityId);
  return id;
}

const POST: Kind = {
  ...uuid,
  own: async (cell) => await post(cell, here(cell), cell.me),
  other: async (cell) => await post(cell),
  elsewhere: async (cell) => await post(cell, there(cell)),
  gone: async (cell) => await removed(cell, await post(cell)),
};
const REACTION: Kind = {
  ...uuid,
  own: async (cell) => await reaction(cell, here(cell), cell.me),
  other: async (cell) => await reaction(cell),
  elsewhere: async (cell) => await reaction(cell, there(cell)),
  gone: orphan,
};

/** What was removed of somebody, with or without an appeal. */
const decisions = (isAppealed: boolean): Kind => {
  const make = async (cell: Cell, place = here(cell), by = cell.world.bystander) =>
    await things.makeDecision(cell.test, place, by, isAppealed);
  return {
    ...uuid,
    own: async (cell) => await make(cell, here(cell), cell.me),
    other: async (cell) => await make(cell),
    elsewhere: async (cell) => await make(cell, there(cell)),
    hidden: async (cell) => await make(cell, behind(cell)),
  };
};

const lessonAt = ({ course }: Cell, at: number) => ({ lessonKey: course.journey.lessons[at]!.key }); // there are four
const discussion = async (cell: Cell, by = cell.world.bystander, at = 1) =>
  await things.makePost(cell.test, lessonAt(cell, at), by);
const lessonReply = async (cell: Cell, by = cell.world.bystander, at = 1) =>
  await things.makeReaction(cell.test, lessonAt(cell, at), await discussion(cell, by, at), by);

async function member(cell: Cell, community = cell.community): Promise<string> {
  const person = await makePerson(cell.test);
  await makeMember(cell.test.ctx.db, community, person);
  return person.id;
}

/** Somebody who was erased. */
async function erased({ test }: Cell): Promise<TestPerson> {
  const person = await makePerson(test);
  await test.call(eraseUser, person.as, { params: { id: 'me' } });
  return person;
}
/** Somebody who named an address and never showed that it is theirs. */
const unproven = async ({ test }: Cell) => await makePerson(test, { isProven: false });
const another = async ({ test }: Cell) => await makePerson(test);

const PERSON: Kind = {
  ...uuid,
  own: ({ me }) => me.id,
  other: async (cell) => (await another(cell)).id,
  hidden: async (cell) => (await unproven(cell)).id,
  gone: async (cell) => (await erased(cell)).id,
};

const SECRET = { canView: 'private' };

/** By the name that a row gives in its second column. */
export const KINDS: Record<string, Kind> = {
  community: {
    ...slug,
    hidden: ({ world }) => world.communities.hidden.slug,
    gone: async ({ test }) => {
      const community = await makeCommunity(test.ctx.db);
      await things.withdrawEntry(test, community.entryId);
      return community.slug;
    },
  },
  scopedCommunity: {
    ...slug,
    hidden: async ({ test }) => (await makeCommunity(test.ctx.db, { canView: 'verified' })).slug,
  },
  post: POST,
  decision: decisions(false),
  appealed: decisions(true),
  reaction: REACTION,
  member: {
    ...uuid,
    other: async (cell) => await member(cell),
    elsewhere: async (cell) => await member(cell, cell.world.elsewhere.community),
    gone: async (cell) => (await another(cell)).id,
  },
  poll: {
    ...uuid,
    own: async (cell) => (await poll(cell, here(cell), cell.me)).id,
    other: async (cell) => (await poll(cell)).id,
    elsewhere: async (cell) => (await poll(cell, there(cell))).id,
    gone: async (cell) => await removed(cell, (await poll(cell)).id),
  },
  // Wherever it stands: its place is not in the path.
  anyPoll: {
    ...uuid,
    own: async (cell) => (await poll(cell, here(cell), cell.me)).id,
    other: async (cell) => (await poll(cell)).id,
    elsewhere: async (cell) => await post(cell), // a post is no poll
    hidden: async (cell) => (await poll(cell, behind(cell))).id,
    gone: async (cell) => await removed(cell, (await poll(cell)).id),
  },
  option: {
    ...uuid,
    other: async (cell) => (await poll(cell)).optionId,
    elsewhere: async (cell) => (await poll(cell)).id, // a poll is none of its options
    hidden: async (cell) => (await poll(cell, behind(cell))).optionId,
    gone: async (cell) => {
      const { id, optionId } = await poll(cell);
      await removed(cell, id);
      return optionId;
    },
  },
  vote: {
    ...uuid,
    own: async (cell) => await things.makeVote(cell.test, await poll(cell), cell.me),
    other: async (cell) => await things.makeVote(cell.test, await poll(cell), cell.world.bystander),
    // One's own, in a community one was taken from.
    hidden: async (cell) => await things.makeVote(cell.test, await poll(cell, behind(cell)), cell.me),
    gone: async (cell) => {
      const made = await poll(cell);
      const vote = await things.makeVote(cell.test, made, cell.me);
      await removed(cell, made.id);
      return vote;
    },
  },
  anyPost: { ...POST, elsewhere: REACTION.other, hidden: async (cell) => await post(cell, behind(cell)) },
  anyReaction: { ...REACTION, elsewhere: POST.other, hidden: async (cell) => await reaction(cell, behind(cell)) },

  courseSlug: {
    ...slug,
    hidden: ({ world }) => world.courses.hidden.slug,
    gone: async (cell) => (await withdrawnCourse(cell)).slug,
  },
  scopedCourse: {
    ...slug,
    hidden: async ({ test }) => {
      const scopes = { canView: 'verified', canJoin: 'verified' } as const;
      return (await makeCourse(test, { scopes })).slug;
    },
  },
  courseId: {
    ...entryId,
    hidden: ({ world }) => world.courses.hidden.id,
    gone: async (cell) => (await withdrawnCourse(cell)).id,
  },
  // The journeys of the open course beside its first: see world.ts.
  journeySlug: { ...slug, elsewhere: () => 'another', hidden: () => 'secret', gone: () => 'former' },
  journeyId: { ...entryId, elsewhere: () => 'id-another', hidden: () => 'id-secret', gone: () => 'id-former' },
  lessonSlug: { ...slug, elsewhere: () => 'lesson-of-another', gone: () => 'former-lesson' },
  lessonId: { ...entryId, elsewhere: () => 'id-lesson-of-another', gone: () => 'id-former-lesson' },
  discussion: {
    ...uuid,
    own: async (cell) => await discussion(cell, cell.me),
    other: async (cell) => await discussion(cell),
    elsewhere: async (cell) => await discussion(cell, cell.world.bystander, 2),
    gone: async (cell) => {
      const id = await discussion(cell);
      await things.removePost(cell.test, lessonAt(cell, 1), id);
      return id;
    },
  },
  lessonReply: {
    ...uuid,
    own: async (cell) => await lessonReply(cell, cell.me),
    other: async (cell) => await lessonReply(cell),
    elsewhere: async (cell) => await lessonReply(cell, cell.world.bystander, 2),
    gone: async (cell) => {
      const activityId = await discussion(cell);
      const id = await things.makeReaction(cell.test, lessonAt(cell, 1), activityId, cell.world.bystander);
      await things.removePost(cell.test, lessonAt(cell, 1), activityId);
      return id;
    },
  },

  person: PERSON,
  // `me` and nothing else, not even one's own id.
  onlyMe: {
    own: () => 'me',
    other: PERSON.other,
    elsewhere: PERSON.own,
    random: () => newId(),
    malformed: () => 'you',
  },
  email: {
    own: ({ me }) => me.email,
    other: async (cell) => (await another(cell)).email,
    hidden: async (cell) => (await unproven(cell)).email,
    gone: async (cell) => (await erased(cell)).email,
    random: () => things.freshEmail(),
    malformed: () => 'nobody',
  },
  passkey: {
    ...uuid,
    own: async ({ test, me }) => (await givePasskey(test, me)).id,
    other: async (cell) => (await givePasskey(cell.test, await another(cell))).id,
    gone: async ({ test, me }) => {
      const { id } = await givePasskey(test, me);
      await test.ctx.db.deleteFrom('passkeys').where('id', '=', id).execute();
      return id;
    },
  },
  session: {
    ...uuid,
    own: async ({ test, me }) => await things.makeSession(test, me),
    other: async (cell) => await things.makeSession(cell.test, await another(cell)),
    gone: async (cell) => {
      const id = await things.makeSession(cell.test, cell.me);
      await cell.test.ctx.db.deleteFrom('sessions').where('id', '=', id).execute();
      return id;
    },
  },
  connection: {
    ...uuid,
    own: async (cell) => await things.makeConnection(cell.test, await another(cell), cell.me),
    other: async (cell) => await things.makeConnection(cell.test, await another(cell), await another(cell)),
    gone: async (cell) => await things.makeConnection(cell.test, await erased(cell), cell.me),
  },
  export: {
    ...uuid,
    own: async ({ test, me }) => await things.makeExport(test, me),
    other: async (cell) => await things.makeExport(cell.test, await another(cell)),
    gone: async ({ test, me }) => {
      const id = await things.makeExport(test, me);
      await test.ctx.db.updateTable('data_exports').set({ expires_at: new Date() }).where('id', '=', id).execute();
      return id;
    },
  },
  notification: {
    ...uuid,
    own: async ({ test, me }) => await things.makeNotification(test, me),
    other: async (cell) => await things.makeNotification(cell.test, await another(cell)),
  },
  thread: {
    ...uuid,
    own: async (cell) => await things.makeThread(cell.test, cell.me, cell.course.journey.lessons[1]!), // there are four
    other: async (cell) => await things.makeThread(cell.test, await another(cell), cell.course.journey.lessons[1]!), // the same
  },
  jobAnalysis: {
    ...uuid,
    own: async ({ test, me }) => await things.makeJobThread(test, me),
    other: async (cell) => await things.makeJobThread(cell.test, await another(cell)),
  },
  certificate: {
    other: ({ world }) => world.certificate,
    random: () => newId().replaceAll('-', ''),
    malformed: () => 'x'.repeat(129),
  },

  academy: {
    ...slug,
    other: ({ world }) => world.academy,
    hidden: async ({ test }) => await things.makeAcademy(test, SECRET),
    gone: async ({ test }) => {
      const academy = await things.makeAcademy(test);
      await things.withdrawEntry(test, `academy-${academy}`);
      return academy;
    },
  },
  microcourse: {
    ...slug,
    other: ({ world }) => world.microcourse,
    hidden: async ({ test }) => await things.makeMicrocourse(test, SECRET),
    gone: async ({ test }) => {
      const microcourse = await things.makeMicrocourse(test);
      await things.withdrawEntry(test, `microcourse-${microcourse}`);
      return microcourse;
    },
  },
  entry: {
    other: ({ world }) => `academy-${world.academy}`,
    hidden: async ({ test }) => `academy-${await things.makeAcademy(test, SECRET)}`,
    gone: async ({ test }) => {
      const id = `academy-${await things.makeAcademy(test)}`;
      await things.withdrawEntry(test, id);
      return id;
    },
    random: () => things.fresh('nothing'),
    malformed: () => ' ',
  },
  article: {
    ...slug,
    own: async ({ test, me }) => await things.makeArticle(test, me),
    other: ({ world }) => world.article,
    gone: async (cell) => {
      const article = await things.makeArticle(cell.test, cell.me);
      const withdrawn = { withdrawn_at: new Date() };
      await cell.test.ctx.db.updateTable('articles').set(withdrawn).where('slug', '=', article).execute();
      return article;
    },
  },

  cohort: { ...uuid, other: ({ world }) => world.cohortId },
  failedMail: { ...uuid, other: async ({ test }) => await things.makeFailedMail(test) },
  failedJob: { ...uuid, other: async ({ test }) => (await things.makeFailedJob(test)).id },
  upload: {
    ...uuid,
    other: async ({ test, world }) => await things.makeUpload(test, world.cohortId),
    elsewhere: async ({ test }) => await things.makeUpload(test, await makeCohort(test)),
  },
  piece: {
    ...entryId,
    elsewhere: async ({ test }) => `academy-${await things.makeAcademy(test)}`,
  },
  contentImport: { ...uuid, other: async ({ test }) => await things.makeContentImport(test) },
  ownerClaim: { random: () => things.freshEmail(), malformed: () => 'nobody' },
  pieceVersion: { random: () => '4711', malformed: () => 'first' },
  cohortMember: {
    ...uuid,
    other: async ({ test, world }) => await things.makeCohortMember(test, world.cohortId),
    elsewhere: async ({ test }) => await things.makeCohortMember(test, await makeCohort(test)),
  },
  invitation: {
    ...uuid,
    other: async ({ test, world }) => await things.makeInvitation(test, world.cohortId),
    elsewhere: async ({ test }) => await things.makeInvitation(test, await makeCohort(test)),
  },
  draft: {
    ...uuid,
    own: async ({ test, world, me }) => await things.makeDraft(test, world.cohortId, me),
    other: async ({ test, world }) => await things.makeDraft(test, world.cohortId, world.bystander),
    elsewhere: async ({ test, me }) => await things.makeDraft(test, await makeCohort(test), me),
  },
  cohortProduct: {
    ...entryId,
    other: async ({ test, world }) => await things.makeCohortProduct(test, world.cohortId),
    elsewhere: async ({ test }) => await things.makeCohortProduct(test, await makeCohort(test)),
  },
  cohortJourney: {
    ...uuid,
    other: async ({ test, world }) => await things.makeCohortJourney(test, world.cohortId),
    elsewhere: async ({ test }) => await things.makeCohortJourney(test, await makeCohort(test)),
  },
  product: {
    ...entryId,
    other: async ({ test }) => `academy-${await things.makeAcademy(test)}`,
    elsewhere: async ({ test }) => await things.makeEntry(test, 'academy', things.fresh('page')), // no product yet
  },
  rule: {
    ...uuid,
    other: async ({ test }) => await things.makeRule(test),
    gone: async ({ test }) => {
      const id = await things.makeRule(test);
      await test.ctx.db.deleteFrom('auto_approvals').where('id', '=', id).execute();
      return id;
    },
  },
  bulkEnrolment: { ...uuid, other: async (cell) => await things.makeBulkEnrolment(cell.test, cell.course) },
  membership: {
    ...uuid,
    other: async ({ test, world }) => await things.membershipOf(test, world.elsewhere.community, world.bystander),
    gone: async ({ test, community }) => {
      const person = await makePerson(test);
      await makeMember(test.ctx.db, community, person);
      const id = await things.membershipOf(test, community, person);
      await test.ctx.db.deleteFrom('community_members').where('id', '=', id).execute();
      return id;
    },
  },
};

async function withdrawnCourse({ test }: Cell): Promise<{ id: string; slug: string }> {
  const course = await makeCourse(test);
  await things.withdrawEntry(test, course.id);
  return course;
}
