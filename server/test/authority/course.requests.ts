import type { TestPerson } from '../factories/accounts.ts';
import { completeJourney, completeLessons, makeAssessment, makeAttempt, makeEvaluation } from '../factories/courses.ts';
import type { Requests } from './requests.ts';
import * as things from './things.ts';
import type { Cell, Sent } from './fixture.ts';

const WORDS = { body: { en: 'Hello' } };
/** The share itself fails: the community does not exist. */
const SHARE = { title: 'Read this', communities: ['nowhere'] };
const REPLY = { kind: 'reply', body: 'Hello' };

const journeyOf = ({ course }: Cell) => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
/** The second lesson; the first one is a preview. */
const lesson = ({ course }: Cell) => course.journey.lessons[1]!; // courses of the fixture have four
const lessonOf = (cell: Cell, at = 1) => ({ ...journeyOf(cell), lessonSlug: cell.course.journey.lessons[at]!.slug });
const recordOf = (cell: Cell) => ({ ...lessonOf(cell), eventType: 'completed' });
const idsOf = (cell: Cell) => ({
  courseId: cell.course.id,
  journeyId: cell.course.journey.id,
  lessonId: lesson(cell).id,
});
const place = (cell: Cell) => ({ lessonKey: lesson(cell).key });

const me = ({ me }: Cell) => me;
const other = ({ fixture }: Cell) => fixture.bystander;
type AuthorOf = (cell: Cell) => TestPerson;

const discussion = async (cell: Cell, by: AuthorOf = other) => await things.makePost(cell.test, place(cell), by(cell));
const onDiscussion =
  (body?: object, by?: AuthorOf) =>
  async (cell: Cell): Promise<Sent> => ({
    params: { ...idsOf(cell), activityId: await discussion(cell, by) },
    body,
  });
const onReaction =
  (body?: object, by: AuthorOf = other, kind?: 'like') =>
  async (cell: Cell): Promise<Sent> => {
    const reactionId = await things.makeReaction(cell.test, place(cell), await discussion(cell), by(cell), kind);
    return { params: { ...idsOf(cell), reactionId }, body };
  };

const QUESTION = { source: ':::quiz\nWhich?\n\n- [x] this\n- [ ] that\n:::' };

/** An answer to a question that the text of a lesson gets. */
async function onQuestion(cell: Cell, at: number): Promise<Sent> {
  const key = cell.course.journey.lessons[at]!.key; // courses of the fixture have four
  await cell.test.ctx.db.updateTable('bodies').set(QUESTION).where('lesson_key', '=', key).execute();
  return { params: lessonOf(cell, at), body: { quiz: '1', choice: [1] } };
}

/** The evaluation of a journey that the caller has completed, if enrolled. */
async function onEvaluation(cell: Cell): Promise<Sent> {
  await makeEvaluation(cell.test, cell.course.journey);
  await completeJourney(cell.test, cell.me, cell.course.journey);
  return { params: journeyOf(cell) };
}

/** The lesson that gets an assessment. */
const ASSESSED = 2;

async function onAssessment(cell: Cell): Promise<Sent> {
  await makeAssessment(cell.test, cell.course.journey.lessons[ASSESSED]!); // courses of the fixture have four
  return { params: lessonOf(cell, ASSESSED), body: {} };
}

async function onAttempt(cell: Cell): Promise<Sent> {
  const attemptId = await makeAttempt(cell.test, cell.me, cell.course.journey.lessons[ASSESSED]!); // as above
  return { params: { ...lessonOf(cell, ASSESSED), attemptId } };
}

const thing = (id: string) => ({ kind: 'activity', id });

export const courseRequests: Requests = {
  readCourse: ({ course }) => ({ params: { courseSlug: course.slug } }),
  'findMovedPage of a course': ({ course }) => ({ query: { path: `/courses/was-${course.slug}` } }),
  'readLesson preview': (cell) => ({ params: lessonOf(cell, 0) }),
  readLesson: (cell) => ({ params: lessonOf(cell) }),
  'checkAnswer preview': (cell) => onQuestion(cell, 0),
  checkAnswer: (cell) => onQuestion(cell, 1),
  buyJourney: (cell) => ({ params: journeyOf(cell) }),
  enrolMyself: (cell) => ({ body: journeyOf(cell) }),
  'giveUserProduct own': (cell) => ({ params: { id: 'me' }, body: journeyOf(cell) }),
  'giveUserProduct own permanent': (cell) => ({
    params: { id: 'me' },
    body: { ...journeyOf(cell), expiresOn: '2999-01-01' },
  }),
  'giveUserProduct other': (cell) => ({ params: { id: cell.fixture.bystander.id }, body: journeyOf(cell) }),
  listMyJourneysOfCourse: ({ course }) => ({ params: { courseSlug: course.slug } }),
  startAttempt: onAssessment,
  readAttempt: onAttempt,
  saveAnswer: async (cell) => {
    const { params } = await onAttempt(cell);
    return { params: { ...params, number: '1' }, body: { choice: [1] } };
  },
  submitAttempt: onAttempt,
  completeLesson: (cell) => ({ params: lessonOf(cell) }),
  recordMyLesson: (cell) => ({ body: recordOf(cell) }),
  recordLessonCompletion: (cell) => ({ body: recordOf(cell) }),
  seeMyChanges: (cell) => ({ params: journeyOf(cell), body: { revision: 1 } }),
  issueMyCertificate: async (cell) => {
    await completeLessons(cell.test, cell.me, cell.course.journey.lessons);
    return { params: journeyOf(cell), body: {} };
  },
  renewMyCertificate: async (cell) => {
    const number = await things.makeCertificate(cell.test, cell.me, cell.course.journey);
    const end = { issued_at: new Date(0), expires_at: new Date() };
    await cell.test.ctx.db.updateTable('certificates').set(end).where('public_id', '=', number).execute();
    return { params: journeyOf(cell) };
  },
  readMyEvaluation: onEvaluation,
  answerEvaluation: async (cell) => ({
    ...(await onEvaluation(cell)),
    body: { answers: [{ question: 'useful', choice: [3] }] },
  }),
  skipEvaluation: onEvaluation,
  createMyCertificate: async (cell) => {
    await completeLessons(cell.test, cell.me, cell.course.journey.lessons);
    return { body: { ...journeyOf(cell), nameOnCertificate: 'A name' } };
  },
  askLesson: (cell) => ({ body: { ...lessonOf(cell), query: 'What does it say?' } }),

  listLessonActivities: (cell) => ({ params: idsOf(cell) }),
  uploadLessonPicture: (cell) => ({ params: idsOf(cell), picture: true }),
  createLessonActivity: (cell) => ({ params: idsOf(cell), body: WORDS }),
  readLessonActivity: onDiscussion(),
  listLessonShares: (cell) => ({ params: idsOf(cell) }),
  'shareLessonActivity own': onDiscussion(SHARE, me),
  'shareLessonActivity other': onDiscussion(SHARE),
  'updateLessonActivity own': onDiscussion(WORDS, me),
  'updateLessonActivity other': onDiscussion(WORDS),
  'deleteLessonActivity own': onDiscussion(undefined, me),
  'deleteLessonActivity other': onDiscussion(),
  'createLessonReaction like': onDiscussion({ kind: 'like' }),
  'createLessonReaction reply': onDiscussion(REPLY),
  'createLessonReaction pin': onDiscussion({ kind: 'pin' }),
  'createLessonReaction poll-vote': onDiscussion({ kind: 'poll-vote' }),
  listLessonReactions: onDiscussion(),
  'createLessonChildReaction like': onReaction({ kind: 'like' }),
  'createLessonChildReaction reply': onReaction(REPLY),
  listLessonChildReactions: onReaction(),
  'updateLessonReaction own': onReaction({ content: 'Hello again' }, me),
  'updateLessonReaction other': onReaction({ content: 'Hello again' }),
  'deleteLessonReaction own like': onReaction(undefined, me, 'like'),
  'deleteLessonReaction own reply': onReaction(undefined, me),
  'deleteLessonReaction other': onReaction(),
  'reportContent discussion': async (cell) => ({ body: { ...thing(await discussion(cell)), reason: 'spam' } }),
  'reportContent own discussion': async (cell) => ({ body: { ...thing(await discussion(cell, me)), reason: 'spam' } }),
  'listReports of a course': ({ course }) => ({ query: { course: course.slug } }),
  'decideReports of a discussion': async (cell) => ({
    body: { ...thing(await discussion(cell)), decision: 'remove', reason: 'hate' },
  }),
  'claimCase of a discussion': async (cell) => ({ body: { ...thing(await discussion(cell)), take: true } }),
  'listAppeals of a course': ({ course }) => ({ query: { course: course.slug } }),
  'translatePayload discussion': async (cell) => ({
    params: { id: await discussion(cell), locale: 'en' },
    body: { payloadType: 'activity_payload' },
  }),
  'readPayloadTranslation discussion': async (cell) => ({
    params: { id: await discussion(cell), locale: 'en' },
    query: { payloadType: 'activity_payload' },
  }),
};
