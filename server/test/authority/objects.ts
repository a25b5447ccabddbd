import { eraseUser } from '@officium/contract/people';
import { newId } from '#server/db/client.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { givePasskey } from '../factories/factors.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { makeCommunity, makeMember } from '../factories/communities.ts';
import { makeAttempt, makeCourse } from '../factories/courses.ts';
import { makeWaitingAttempt } from '../factories/attempts.ts';
import { makeNotice } from '../factories/notices.ts';
import * as things from './things.ts';
import type { Cell } from './fixture.ts';

/** The kinds of object that an identifier in a request may refer to. */
export const VARIANTS = ['own', 'other', 'elsewhere', 'hidden', 'gone', 'random', 'malformed'] as const;
export type Variant = (typeof VARIANTS)[number];

type Maker = (cell: Cell) => string | Promise<string>;
/** One kind of identifier, with a factory for each variant. */
export type Kind = Partial<Record<Variant, Maker>> & { random: Maker; malformed: Maker };

const uuid = { random: () => newId(), malformed: () => 'not-a-uuid' };
const slug = { random: () => things.fresh('nothing'), malformed: () => 'x'.repeat(257) };
const entryId = { random: () => things.fresh('nothing'), malformed: () => 'not an id' };

const ownPlace = ({ community }: Cell) => ({ communityId: community.id });
const otherPlace = ({ fixture }: Cell) => ({ communityId: fixture.elsewhere.community.id });
const hiddenPlace = ({ fixture }: Cell) => ({ communityId: fixture.communities.hidden.id });
const post = async (cell: Cell, place = ownPlace(cell), by = cell.fixture.bystander) =>
  await things.makePost(cell.test, place, by);
const reaction = async (cell: Cell, place = ownPlace(cell), by = cell.fixture.bystander) =>
  await things.makeReaction(cell.test, place, await post(cell, place), by);
const poll = async (cell: Cell, place = ownPlace(cell), by = cell.fixture.bystander) =>
  await things.makePoll(cell.test, place, by);

async function removed(cell: Cell, id: string): Promise<string> {
  await things.removePost(cell.test, ownPlace(cell), id);
  return id;
}
/** A reply to a deleted post. */
async function orphan(cell: Cell): Promise<string> {
  const activityId = await post(cell);
  const id = await things.makeReaction(cell.test, ownPlace(cell), activityId, cell.fixture.bystander);
  await things.removePost(cell.test, ownPlace(cell), activityId);
  return id;
}

const POST: Kind = {
  ...uuid,
  own: async (cell) => await post(cell, ownPlace(cell), cell.me),
  other: async (cell) => await post(cell),
  elsewhere: async (cell) => await post(cell, otherPlace(cell)),
  gone: async (cell) => await removed(cell, await post(cell)),
};
const REACTION: Kind = {
  ...uuid,
  own: async (cell) => await reaction(cell, ownPlace(cell), cell.me),
  other: async (cell) => await reaction(cell),
  elsewhere: async (cell) => await reaction(cell, otherPlace(cell)),
  gone: orphan,
};

/** A removal of someone's content, with or without an appeal. */
const decisions = (isAppealed: boolean): Kind => {
  const make = async (cell: Cell, place = ownPlace(cell), by = cell.fixture.bystander) =>
    await things.makeDecision(cell.test, place, by, isAppealed);
  return {
    ...uuid,
    own: async (cell) => await make(cell, ownPlace(cell), cell.me),
    other: async (cell) => await make(cell),
    elsewhere: async (cell) => await make(cell, otherPlace(cell)),
    hidden: async (cell) => await make(cell, hiddenPlace(cell)),
  };
};

const lessonAt = ({ course }: Cell, at: number) => ({ lessonKey: course.journey.lessons[at]!.key }); // there are four
const discussion = async (cell: Cell, by = cell.fixture.bystander, at = 1) =>
  await things.makePost(cell.test, lessonAt(cell, at), by);
const lessonReply = async (cell: Cell, by = cell.fixture.bystander, at = 1) =>
  await things.makeReaction(cell.test, lessonAt(cell, at), await discussion(cell, by, at), by);

async function member(cell: Cell, community = cell.community): Promise<string> {
  const person = await makePerson(cell.test);
  await makeMember(cell.test.ctx.db, community, person);
  return person.id;
}

/** An erased person. */
async function erased({ test }: Cell): Promise<TestPerson> {
  const person = await makePerson(test);
  await test.call(eraseUser, person.as, { params: { id: 'me' } });
  return person;
}
/** A person whose address is not proven. */
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

/** By the kind in the second column of a row. */
export const KINDS: Record<string, Kind> = {
  community: {
    ...slug,
    hidden: ({ fixture }) => fixture.communities.hidden.slug,
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
  questionNumber: { random: () => '999', malformed: () => 'first' },
  attempt: {
    ...uuid,
    own: async (cell) => await makeAttempt(cell.test, cell.me, cell.course.journey.lessons[2]!), // there are four
    other: async (cell) => await makeAttempt(cell.test, cell.fixture.bystander, cell.course.journey.lessons[2]!), // as above
    elsewhere: async (cell) => await makeAttempt(cell.test, cell.me, cell.course.journey.lessons[3]!), // as above
  },
  marking: {
    ...uuid,
    own: async ({ test, me, course }) => await makeWaitingAttempt(test, me, course.journey.lessons[0]!), // there are four
    other: async ({ test, fixture, course }) =>
      await makeWaitingAttempt(test, fixture.bystander, course.journey.lessons[0]!), // as above
  },
  reaction: REACTION,
  member: {
    ...uuid,
    other: async (cell) => await member(cell),
    elsewhere: async (cell) => await member(cell, cell.fixture.elsewhere.community),
    gone: async (cell) => (await another(cell)).id,
  },
  poll: {
    ...uuid,
    own: async (cell) => (await poll(cell, ownPlace(cell), cell.me)).id,
    other: async (cell) => (await poll(cell)).id,
    elsewhere: async (cell) => (await poll(cell, otherPlace(cell))).id,
    gone: async (cell) => await removed(cell, (await poll(cell)).id),
  },
  // In any place: the path does not contain it.
  anyPoll: {
    ...uuid,
    own: async (cell) => (await poll(cell, ownPlace(cell), cell.me)).id,
    other: async (cell) => (await poll(cell)).id,
    elsewhere: async (cell) => await post(cell), // a post is not a poll
    hidden: async (cell) => (await poll(cell, hiddenPlace(cell))).id,
    gone: async (cell) => await removed(cell, (await poll(cell)).id),
  },
  option: {
    ...uuid,
    other: async (cell) => (await poll(cell)).optionId,
    elsewhere: async (cell) => (await poll(cell)).id, // a poll is not an option
    hidden: async (cell) => (await poll(cell, hiddenPlace(cell))).optionId,
    gone: async (cell) => {
      const { id, optionId } = await poll(cell);
      await removed(cell, id);
      return optionId;
    },
  },
  vote: {
    ...uuid,
    own: async (cell) => await things.makeVote(cell.test, await poll(cell), cell.me),
    other: async (cell) => await things.makeVote(cell.test, await poll(cell), cell.fixture.bystander),
    // One's own vote in a community that one can no longer see.
    hidden: async (cell) => await things.makeVote(cell.test, await poll(cell, hiddenPlace(cell)), cell.me),
    gone: async (cell) => {
      const made = await poll(cell);
      const vote = await things.makeVote(cell.test, made, cell.me);
      await removed(cell, made.id);
      return vote;
    },
  },
  anyPost: { ...POST, elsewhere: REACTION.other, hidden: async (cell) => await post(cell, hiddenPlace(cell)) },
  anyReaction: { ...REACTION, elsewhere: POST.other, hidden: async (cell) => await reaction(cell, hiddenPlace(cell)) },

  courseSlug: {
    ...slug,
    hidden: ({ fixture }) => fixture.courses.hidden.slug,
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
    hidden: ({ fixture }) => fixture.courses.hidden.id,
    gone: async (cell) => (await withdrawnCourse(cell)).id,
  },
  // The other journeys of the open course: see fixture.ts.
  journeySlug: { ...slug, elsewhere: () => 'another', hidden: () => 'secret', gone: () => 'former' },
  journeyId: { ...entryId, elsewhere: () => 'id-another', hidden: () => 'id-secret', gone: () => 'id-former' },
  lessonSlug: { ...slug, elsewhere: () => 'lesson-of-another', gone: () => 'former-lesson' },
  lessonId: { ...entryId, elsewhere: () => 'id-lesson-of-another', gone: () => 'id-former-lesson' },
  discussion: {
    ...uuid,
    own: async (cell) => await discussion(cell, cell.me),
    other: async (cell) => await discussion(cell),
    elsewhere: async (cell) => await discussion(cell, cell.fixture.bystander, 2),
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
    elsewhere: async (cell) => await lessonReply(cell, cell.fixture.bystander, 2),
    gone: async (cell) => {
      const activityId = await discussion(cell);
      const id = await things.makeReaction(cell.test, lessonAt(cell, 1), activityId, cell.fixture.bystander);
      await things.removePost(cell.test, lessonAt(cell, 1), activityId);
      return id;
    },
  },

  person: PERSON,
  // Accepts `me` only, not even one's own id.
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
  pushDevice: {
    ...uuid,
    own: async ({ test, me }) => await things.makePushDevice(test, me),
    other: async (cell) => await things.makePushDevice(cell.test, await another(cell)),
    gone: async ({ test, me }) => {
      const id = await things.makePushDevice(test, me);
      await test.ctx.db.deleteFrom('push_devices').where('id', '=', id).execute();
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
  wholeExport: {
    ...uuid,
    own: async ({ test, me }) => await things.makeWholeExport(test, me),
    other: async (cell) => await things.makeWholeExport(cell.test, await another(cell)),
    gone: async ({ test, me }) => {
      const id = await things.makeWholeExport(test, me);
      await test.ctx.db.updateTable('whole_exports').set({ expires_at: new Date() }).where('id', '=', id).execute();
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
    other: async (cell) => await things.makeThread(cell.test, await another(cell), cell.course.journey.lessons[1]!), // there are four
  },
  jobAnalysis: {
    ...uuid,
    own: async ({ test, me }) => await things.makeJobThread(test, me),
    other: async (cell) => await things.makeJobThread(cell.test, await another(cell)),
  },
  payment: {
    ...uuid,
    other: ({ fixture }) => fixture.payment,
  },
  certificate: {
    other: ({ fixture }) => fixture.certificate,
    random: () => newId().replaceAll('-', ''),
    malformed: () => 'x'.repeat(129),
  },

  academy: {
    ...slug,
    other: ({ fixture }) => fixture.academy,
    hidden: async ({ test }) => await things.makeAcademy(test, SECRET),
    gone: async ({ test }) => {
      const academy = await things.makeAcademy(test);
      await things.withdrawEntry(test, `academy-${academy}`);
      return academy;
    },
  },
  microcourse: {
    ...slug,
    other: ({ fixture }) => fixture.microcourse,
    hidden: async ({ test }) => await things.makeMicrocourse(test, SECRET),
    gone: async ({ test }) => {
      const microcourse = await things.makeMicrocourse(test);
      await things.withdrawEntry(test, `microcourse-${microcourse}`);
      return microcourse;
    },
  },
  hub: {
    ...slug,
    other: ({ fixture }) => fixture.hub,
    hidden: async ({ test }) => await things.makeHub(test, SECRET),
    gone: async ({ test }) => {
      const hub = await things.makeHub(test);
      await things.withdrawEntry(test, `learningHub-${hub}`);
      return hub;
    },
  },
  event: {
    ...slug,
    other: ({ fixture }) => fixture.event.slug,
    hidden: async ({ test }) => (await things.makeEvent(test, SECRET)).slug,
    gone: async ({ test }) => {
      const event = await things.makeEvent(test);
      await things.withdrawEntry(test, `event-${event.slug}`);
      return event.slug;
    },
  },
  eventSession: {
    ...uuid,
    own: async ({ test, me }) => await things.giveSeat(test, (await things.makeEvent(test)).session, me),
    other: async ({ test }) => (await things.makeEvent(test)).session,
    hidden: async ({ test }) => (await things.makeEvent(test, SECRET)).session,
    gone: async ({ test }) => {
      const event = await things.makeEvent(test);
      await things.withdrawEntry(test, `event-${event.slug}`);
      return event.session;
    },
  },
  entry: {
    other: ({ fixture }) => `academy-${fixture.academy}`,
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
    other: ({ fixture }) => fixture.article,
    gone: async (cell) => {
      const article = await things.makeArticle(cell.test, cell.me);
      const withdrawn = { withdrawn_at: new Date() };
      await cell.test.ctx.db.updateTable('articles').set(withdrawn).where('slug', '=', article).execute();
      return article;
    },
  },
  deletedArticle: {
    ...slug,
    own: async ({ test, me }) => await things.makeDeletedArticle(test, me),
    other: async ({ test, fixture }) => await things.makeDeletedArticle(test, fixture.bystander),
    gone: async ({ test, me }) => await things.makeArticle(test, me),
  },

  cohort: { ...uuid, other: ({ fixture }) => fixture.cohortId },
  failedMail: { ...uuid, other: async ({ test }) => await things.makeFailedMail(test) },
  notice: { ...uuid, other: ({ test }) => makeNotice(test) },
  failedJob: { ...uuid, other: async ({ test }) => (await things.makeFailedJob(test)).id },
  upload: {
    ...uuid,
    other: async ({ test, fixture }) => await things.makeUpload(test, fixture.cohortId),
    elsewhere: async ({ test }) => await things.makeUpload(test, await makeCohort(test)),
  },
  piece: {
    ...entryId,
    elsewhere: async ({ test }) => `academy-${await things.makeAcademy(test)}`,
  },
  contentImport: { ...uuid, other: async ({ test }) => await things.makeContentImport(test) },
  ownerClaim: { random: () => things.freshEmail(), malformed: () => 'nobody' },
  pieceUpload: uuid,
  partNumber: { random: () => '1000', malformed: () => 'first' },
  pieceVersion: { random: () => '4711', malformed: () => 'first' },
  roleAssignment: {
    ...uuid,
    elsewhere: async (cell) => await things.makeAssignment(cell.test, (await another(cell)).id),
  },
  cohortMember: {
    ...uuid,
    other: async ({ test, fixture }) => await things.makeCohortMember(test, fixture.cohortId),
    elsewhere: async ({ test }) => await things.makeCohortMember(test, await makeCohort(test)),
  },
  invitation: {
    ...uuid,
    other: async ({ test, fixture }) => await things.makeInvitation(test, fixture.cohortId),
    elsewhere: async ({ test }) => await things.makeInvitation(test, await makeCohort(test)),
  },
  draft: {
    ...uuid,
    own: async ({ test, fixture, me }) => await things.makeDraft(test, fixture.cohortId, me),
    other: async ({ test, fixture }) => await things.makeDraft(test, fixture.cohortId, fixture.bystander),
    elsewhere: async ({ test, me }) => await things.makeDraft(test, await makeCohort(test), me),
  },
  cohortProduct: {
    ...entryId,
    other: async ({ test, fixture }) => await things.makeCohortProduct(test, fixture.cohortId),
    elsewhere: async ({ test }) => await things.makeCohortProduct(test, await makeCohort(test)),
  },
  cohortJourney: {
    ...uuid,
    other: async ({ test, fixture }) => await things.makeCohortJourney(test, fixture.cohortId),
    elsewhere: async ({ test }) => await things.makeCohortJourney(test, await makeCohort(test)),
  },
  product: {
    ...entryId,
    other: async ({ test }) => `academy-${await things.makeAcademy(test)}`,
    elsewhere: async ({ test }) => await things.makeEntry(test, 'academy', things.fresh('page')), // not a product yet
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
    other: async ({ test, fixture }) => await things.membershipOf(test, fixture.elsewhere.community, fixture.bystander),
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
