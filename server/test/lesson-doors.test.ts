import { addressOf } from '@officium/contract/client';
import type { Endpoint } from '@officium/contract/endpoint';
import { createLessonActivity } from '@officium/contract/lesson-discussions';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import type { JourneyStatus } from '#server/areas/learner/learner.rows.ts';
import { newId } from '#server/db/client.ts';
import { type Answer, type As, createTestApp, type Sent } from './app.ts';
import { makePerson } from './factories/accounts.ts';
import { enrol, makeCourse } from './factories/courses.ts';
import { pictureForm } from './factories/pieces.ts';

// Every operation that opens a lesson or enrols in a journey refuses with the same error codes.

const test = await createTestApp();
const course = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
const { journey } = course;
const lesson = journey.lessons[1]!; // the first one would be a preview if open
const slugs = { courseSlug: course.slug, journeySlug: journey.slug, lessonSlug: lesson.slug };
const ids = { courseId: course.id, journeyId: journey.id, lessonId: lesson.id };
const learner = await makePerson(test);
await enrol(test, learner, journey);
const started = await test.call(createLessonActivity, learner.as, {
  params: ids,
  body: { body: { en: 'What did you make of it?' } },
});
const params = {
  ...slugs,
  ...ids,
  id: 'me',
  activityId: newId(),
  reactionId: newId(),
  attemptId: newId(),
  number: '1',
};

/** Valid bodies, by operation. */
const BODIES: Record<string, object> = {
  askLesson: { ...slugs, query: 'What is it about?' },
  streamAnswer: { ...slugs, query: 'What is it about?' },
  recordMyLesson: { ...slugs, eventType: 'completed' },
  recordLessonCompletion: { ...slugs, eventType: 'completed' },
  enrolMyself: { courseSlug: course.slug, journeySlug: journey.slug },
  giveUserProduct: { courseSlug: course.slug, journeySlug: journey.slug },
  createLessonActivity: { body: { en: 'What did you make of it?' } },
  updateLessonActivity: { body: { en: 'What did you make of it?' } },
  shareLessonActivity: { title: 'Read this', communities: ['nowhere'] },
  createLessonReaction: { kind: 'reply', body: 'I agree' },
  createLessonChildReaction: { kind: 'reply', body: 'I agree' },
  updateLessonReaction: { content: 'I agree' },
  seeMyChanges: { revision: 0 },
  checkAnswer: { quiz: '1', choice: [1] },
  startAttempt: {},
  saveAnswer: { choice: [1] },
  translatePayload: { payloadType: 'activity_payload' },
};

const shapeOf = (schema: unknown) => (schema as { shape?: object } | undefined)?.shape ?? {}; // params are objects

const YESTERDAY = new Date(Date.now() - 86_400_000);
const ENROLMENTS: Record<string, { status: JourneyStatus; expiresOn?: Date } | null> = {
  'learner.not_enrolled': null,
  'learner.cannot_enrol': null,
  'learner.enrolment_pending': { status: 'pending' },
  'learner.enrolment_expired': { status: 'enrolled', expiresOn: YESTERDAY },
};

const refusals = ENDPOINTS.flatMap((endpoint) =>
  (endpoint.errors ?? []).filter((code) => code in ENROLMENTS).map((code) => [endpoint.name, code, endpoint] as const),
);

/** Operations on lessons, by either identifier. */
const lessonOperations = [...new Set(refusals.map(([, , endpoint]) => endpoint))].filter(
  ({ name, params: own }) =>
    'lessonSlug' in (BODIES[name] ?? {}) || /lesson(?:Id|Slug)/.test(Object.keys(shapeOf(own)).join(' ')),
);

function sentTo(endpoint: Endpoint): Sent {
  const names = Object.keys(shapeOf(endpoint.params));
  const own = Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
  const payload = { id: started.body.activityId, locale: 'fr' };
  const isPayload = /^(?:translatePayload|readPayloadTranslation)$/.test(endpoint.name);
  return {
    params: isPayload ? payload : own,
    query: endpoint.name === 'readPayloadTranslation' ? { payloadType: 'activity_payload' } : {},
    body: BODIES[endpoint.name],
  };
}

const PICTURE = await pictureForm();

/** Calls an operation; one that takes a file gets a picture. */
async function ask(endpoint: Endpoint, as: As, sent: Sent): Promise<Answer> {
  if (endpoint.upload === undefined) return await test.call(endpoint, as, sent);
  const { headers, payload: body } = PICTURE;
  return await test.send(endpoint.method, addressOf(endpoint, { params: sent.params }), { as, headers, body });
}

describe('access to a lesson', () => {
  it('has a body for every operation that takes one', () => {
    const missing = refusals.filter(([name, , endpoint]) => endpoint.body && !(name in BODIES)).map(([name]) => name);
    expect(missing).toEqual([]);
  });

  it.each(lessonOperations.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s answers 404 for an unknown lesson',
    async (_, endpoint) => {
      const { params: own, body } = sentTo(endpoint);
      const astray = (names: object | undefined) =>
        names &&
        Object.fromEntries(
          Object.entries(names).map(([name, value]) => [name, /^lesson(?:Id|Slug)$/.test(name) ? 'none' : value]),
        );
      const answer = await ask(endpoint, learner.as, {
        params: astray(own),
        body: astray(body as object | undefined),
      });
      expect([answer.status, answer.body.code]).toEqual([404, 'request.not_found']);
    },
  );

  it.each(refusals)('%s answers %s', async (_, code, endpoint) => {
    const person = await makePerson(test);
    const place = ENROLMENTS[code];
    if (place) await enrol(test, person, journey, place);
    const answer = await ask(endpoint, person.as, sentTo(endpoint));
    expect([answer.status, answer.body.code]).toEqual([403, code]);
  });
});
