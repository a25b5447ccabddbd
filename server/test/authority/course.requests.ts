import type { TestPerson } from '../factories/accounts.ts';
import { completeLessons } from '../factories/courses.ts';
import type { Requests } from './requests.ts';
import * as things from './things.ts';
import type { Cell, Sent } from './world.ts';

const WORDS = { body: { en: 'Hello' } };
const REPLY = { kind: 'reply', body: 'Hello' };

const journeyOf = ({ course }: Cell) => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
/** The second: the first is a preview. */
const lesson = ({ course }: Cell) => course.journey.lessons[1]!; // courses of the world have four
const lessonOf = (cell: Cell, at = 1) => ({ ...journeyOf(cell), lessonSlug: cell.course.journey.lessons[at]!.slug });
const recordOf = (cell: Cell) => ({ ...lessonOf(cell), eventType: 'completed' });
const idsOf = (cell: Cell) => ({
  courseId: cell.course.id,
  journeyId: cell.course.journey.id,
  lessonId: lesson(cell).id,
});
const place = (cell: Cell) => ({ lessonKey: lesson(cell).key });

const me = ({ me }: Cell) => me;
const other = ({ world }: Cell) => world.bystander;
type Who = (cell: Cell) => TestPerson;

const discussion = async (cell: Cell, by: Who = other) => await things.makePost(cell.test, place(cell), by(cell));
const onDiscussion =
  (body?: object, by?: Who) =>
  async (cell: Cell): Promise<Sent> => ({
    params: { ...idsOf(cell), activityId: await discussion(cell, by) },
    body,
  });
const onReaction =
  (body?: object, by: Who = other, kind?: 'like') =>
  async (cell: Cell): Promise<Sent> => {
    const reactionId = await things.makeReaction(cell.test, place(cell), await discussion(cell), by(cell), kind);
    return { params: { ...idsOf(cell), reactionId }, body };
  };

export const courseRequests: Requests = {
  readCourse: ({ course }) => ({ params: { courseSlug: course.slug } }),
  'findMovedPage of a course': ({ course }) => ({ query: { path: `/courses/was-${course.slug}` } }),
  'readLesson preview': (cell) => ({ params: lessonOf(cell, 0) }),
  readLesson: (cell) => ({ params: lessonOf(cell) }),
  enrolMyself: (cell) => ({ body: journeyOf(cell) }),
  'giveUserProduct own': (cell) => ({ params: { id: 'me' }, body: journeyOf(cell) }),
  'giveUserProduct own without end': (cell) => ({
    params: { id: 'me' },
    body: { ...journeyOf(cell), expiresOn: '2999-01-01' },
  }),
  'giveUserProduct other': (cell) => ({ params: { id: cell.world.bystander.id }, body: journeyOf(cell) }),
  listMyJourneysOfCourse: ({ course }) => ({ params: { courseSlug: course.slug } }),
  completeLesson: (cell) => ({ params: lessonOf(cell) }),
  recordMyLesson: (cell) => ({ body: recordOf(cell) }),
  recordLessonCompletion: (cell) => ({ body: recordOf(cell) }),
  seeMyChanges: (cell) => ({ params: journeyOf(cell), body: { revision: 1 } }),
  issueMyCertificate: async (cell) => {
    await completeLessons(cell.test, cell.me, cell.course.journey.lessons);
    return { params: journeyOf(cell), body: {} };
  },
  createMyCertificate: async (cell) => {
    await completeLessons(cell.test, cell.me, cell.course.journey.lessons);
    return { body: { ...journeyOf(cell), nameOnCertificate: 'A name' } };
  },
  askLesson: (cell) => ({ body: { ...lessonOf(cell), query: 'What does it say?' } }),

  listLessonActivities: (cell) => ({ params: idsOf(cell) }),
  createLessonActivity: (cell) => ({ params: idsOf(cell), body: WORDS }),
  readLessonActivity: onDiscussion(),
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
  'translatePayload a discussion': async (cell) => ({
    params: { id: await discussion(cell), locale: 'en' },
    body: { payloadType: 'activity_payload' },
  }),
  'readPayloadTranslation a discussion': async (cell) => ({
    params: { id: await discussion(cell), locale: 'en' },
    query: { payloadType: 'activity_payload' },
  }),
};
