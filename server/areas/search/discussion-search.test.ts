import { decideAppeal, appealDecision, listMyDecisions } from '@officium/contract/decisions';
import * as discussions from '@officium/contract/lesson-discussions';
import { decideReports } from '@officium/contract/moderation';
import { search } from '@officium/contract/search';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** A lesson discussion in two languages with a reply, each with a word of its own. */
async function setUp() {
  const [word, answer] = [`w${newId().slice(-8)}`, `w${newId().slice(-8)}`];
  const course = await makeCourse(test, { type: 'Private', title: { en: 'About badgers' } });
  const [author, learner, stranger] = [await makePerson(test), await makePerson(test), await makePerson(test)];
  for (const person of [author, learner]) await enrol(test, person, course.journey);
  const lesson = course.journey.lessons[1]!;
  const path = { courseId: course.id, journeyId: course.journey.id, lessonId: lesson.id };
  const body = { body: { en: `I read **${word}** slowly`, fr: `Je lis ${word} lentement` } };
  const { activityId } = (await test.call(discussions.createLessonActivity, author.as, { params: path, body })).body;
  const params = { ...path, activityId: activityId as string };
  const reply = { kind: 'reply', body: `So do ${answer}` };
  const replyId = (await test.call(discussions.createLessonReaction, author.as, { params, body: reply })).body.id;
  return { course, lesson, author, learner, stranger, params, word, answer, replyId: replyId as string };
}

async function find(q: string, as: As, locale = 'en') {
  const { status, body } = await test.call(search, as, { query: { q, locale } });
  expect(status).toBe(200);
  return search.replies[200].parse(body).groups.flatMap(({ results }) => results);
}
const ids = async (q: string, as: As) => (await find(q, as)).map(({ id }) => id);

describe('search of lesson discussions', () => {
  it('finds them and their replies, once, with lesson, course and author', async () => {
    const { course, lesson, author, learner, params, word, answer, replyId } = await setUp();
    const address = `/courses/${course.slug}/${course.journey.slug}/${lesson.slug}#post-`;
    const [found, ...others] = await find(word, learner.as, 'fr');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      kind: 'discussion',
      id: params.activityId,
      path: address + params.activityId,
      locale: 'fr',
      place: { title: 'About badgers', path: `/courses/${course.slug}` },
      author: { id: author.id },
    });
    expect(found?.title).toHaveLength(1);
    expect(await find(answer, learner.as)).toMatchObject([
      { kind: 'discussion', id: replyId, path: address + replyId, author: { id: author.id } },
    ]);
  });

  it('finds them for those who may read them only', async () => {
    const { course, learner, stranger, lesson, params, word } = await setUp();
    const administrator = await makePerson(test, { role: 'administrator' });
    const session = async (courses: Record<string, string[]>) => ({
      token: await openSession(db, { userId: learner.id, permissions: { courses } }),
    });
    for (const as of [{}, stranger.as, await session({})]) expect(await ids(word, as)).toEqual([]);
    for (const as of [learner.as, administrator.as, await session({ [course.slug]: ['reduced'] })])
      expect(await ids(word, as)).toEqual([params.activityId]);
    for (const id of [course.journey.entryId, course.id]) {
      await setEntryStatus(test, id, 'withdrawn');
      for (const as of [learner.as, administrator.as]) expect(await ids(word, as)).toEqual([]);
      await setEntryStatus(test, id, 'published');
    }
    const withdraw = async (at: Date | null) =>
      await db.updateTable('lessons').set({ withdrawn_at: at }).where('key', '=', lesson.key).execute();
    await withdraw(new Date());
    for (const as of [learner.as, administrator.as]) expect(await ids(word, as)).toEqual([]);
    await withdraw(null);
    await sql`update journey_enrolments set expires_on = now() - interval '1 day' where user_id = ${learner.id}`.execute(
      db,
    );
    expect(await ids(word, learner.as)).toEqual([]);
  });

  it('follows edits, deletions, removals and restorations', async () => {
    const { author, learner, params, word, answer, replyId } = await setUp();
    const changed = `w${newId().slice(-8)}`;
    await test.call(discussions.updateLessonActivity, author.as, { params, body: { body: { en: `Now ${changed}` } } });
    expect([await ids(word, learner.as), await ids(changed, learner.as)]).toEqual([[], [params.activityId]]);

    const [admin, second] = [
      await makePerson(test, { role: 'administrator' }),
      await makePerson(test, { role: 'administrator' }),
    ];
    const removal = { kind: 'activity', id: params.activityId, decision: 'remove', reason: 'spam' };
    await test.call(decideReports, admin.as, { body: removal });
    for (const q of [changed, answer]) expect(await ids(q, admin.as)).toEqual([]);
    const { decisions } = (await test.call(listMyDecisions, author.as, { query: {} })).body;
    const at = { params: { id: decisions[0].id as string } };
    await test.call(appealDecision, author.as, { ...at, body: { text: 'It is no advertisement.' } });
    await test.call(decideAppeal, second.as, { ...at, body: { outcome: 'reversed' } });
    expect([await ids(changed, learner.as), await ids(answer, learner.as)]).toEqual([[params.activityId], [replyId]]);

    const { activityId: _, ...lesson } = params;
    await test.call(discussions.deleteLessonReaction, author.as, { params: { ...lesson, reactionId: replyId } });
    expect(await ids(answer, learner.as)).toEqual([]);
    await test.call(discussions.deleteLessonActivity, author.as, { params });
    expect(await ids(changed, learner.as)).toEqual([]);
  });
});
