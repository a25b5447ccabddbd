import { askLesson, listThreads } from '@officium/contract/ai';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });

it('thirty questions an hour are answered, also in parallel; the rest are not stored', async () => {
  const course = await makeCourse(test);
  const [maya, noor] = [await makePerson(test), await makePerson(test)];
  for (const person of [maya, noor]) await enrol(test, person, course.journey);
  const [lesson] = course.journey.lessons;
  const place = { courseSlug: course.slug, journeySlug: course.journey.slug, lessonSlug: lesson!.slug }; // makeCourse creates lessons
  const ask = async (person: typeof maya, query: string) =>
    await test.call(askLesson, person.as, { body: { query, ...place } });

  const answers = await Promise.all(Array.from({ length: 34 }, (_, n) => ask(maya, `Question ${n}?`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const { body } = await test.call(listThreads, maya.as);
  expect(body.threads[0].messages).toHaveLength(60);
  // An invalid question does not count, and the limit is per user.
  expect((await ask(maya, '')).status).toBe(400);
  expect((await ask(noor, 'Question?')).status).toBe(200);
});
