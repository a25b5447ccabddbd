import { askLesson, deleteThread } from '@officium/contract/ai';
import { analyseJob, JOB_ANALYSIS_READS_AN_HOUR, listJobAnalyses, readJobAnalysis } from '@officium/contract/job-tasks';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { loadJobTasks } from './job-task-load.service.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const PRESS = 'Write press releases';
const POEM = 'The fog comes on little cat feet';

beforeAll(async () => await loadJobTasks(test.ctx));

async function analysed(person: TestPerson, body: object) {
  const reply = await test.call(analyseJob, person.as, { body });
  expect(reply.status).toBe(200);
  return analyseJob.replies[200].parse(reply.body);
}
const list = async (person: TestPerson, query = {}) => {
  const reply = await test.call(listJobAnalyses, person.as, { query });
  expect(reply.status).toBe(200);
  return listJobAnalyses.replies[200].strict().parse(reply.body);
};
const open = (person: TestPerson, threadId: string, query = {}) =>
  test.call(readJobAnalysis, person.as, { params: { threadId }, query });

describe('listJobAnalyses', () => {
  it('lists each job once, latest question first, in pages', async () => {
    const person = await makePerson(test);
    const press = await analysed(person, { jobTitle: 'Head of press', organization: 'City of Lund', tasks: [PRESS] });
    const nurse = await analysed(person, { jobTitle: 'Registered nurse' });
    expect((await list(person)).analyses).toEqual([
      {
        threadId: nurse.threadId,
        jobTitle: 'Registered nurse',
        organization: null,
        tasks: 0,
        askedAt: expect.any(String),
      },
      {
        threadId: press.threadId,
        jobTitle: 'Head of press',
        organization: 'City of Lund',
        tasks: 1,
        askedAt: expect.any(String),
      },
    ]);
    await analysed(person, { jobTitle: 'head of  Press', tasks: [PRESS, POEM] });
    const { analyses, total } = await list(person, { limit: 1 });
    expect([total, analyses]).toEqual([
      2,
      [expect.objectContaining({ threadId: press.threadId, tasks: 2, organization: null })],
    ]);
    expect((await list(person, { limit: 1, offset: 1 })).analyses[0]?.threadId).toBe(nurse.threadId);
  });

  it('lists only the viewer’s own, without conversations about lessons', async () => {
    const [person, other] = [await makePerson(test), await makePerson(test)];
    const course = await makeCourse(test);
    await enrol(test, person, course.journey);
    const asked = await test.call(askLesson, person.as, {
      body: {
        query: 'What is this about?',
        courseSlug: course.slug,
        journeySlug: course.journey.slug,
        lessonSlug: course.journey.lessons[0]!.slug, // makeCourse creates lessons
      },
    });
    expect(asked.status).toBe(200);
    await analysed(other, { jobTitle: 'Registered nurse' });
    expect(await list(person)).toEqual({ analyses: [], total: 0 });
    expect((await open(person, asked.body.threadId)).status).toBe(404);
  });
});

describe('readJobAnalysis', () => {
  it('returns the last question with the same figures, in the viewer’s language', async () => {
    const person = await makePerson(test);
    const given = [PRESS, POEM];
    await analysed(person, { jobTitle: 'Head of press', tasks: [POEM] });
    const { threadId, ...analysis } = await analysed(person, { jobTitle: 'Head of press', tasks: given });
    const again = await open(person, threadId);
    expect(again.status).toBe(200);
    const { askedAt, ...read } = readJobAnalysis.replies[200].strict().parse(again.body);
    expect(read).toEqual({ ...analysis, threadId, jobTitle: 'Head of press', organization: null, given });
    expect((await list(person)).analyses[0]?.askedAt).toBe(askedAt);

    const german = (await open(person, threadId, { locale: 'de' })).body;
    expect(german.tasks).toEqual(analysis.tasks);
    expect(german.headline).toBe('Head of press: Sprachmodelle könnten 1 von 1 Aufgabe verändern.');
  });

  it('uses the tasks of the occupation again if none were given', async () => {
    const person = await makePerson(test);
    const { threadId, tasks, occupation } = await analysed(person, { jobTitle: 'chief executive' });
    const { body } = await open(person, threadId);
    expect([body.tasks, body.occupation, body.given]).toEqual([tasks, occupation, []]);
  });

  it('shows current courses, not those at the time of the question', async () => {
    const person = await makePerson(test);
    const { threadId, courses } = await analysed(person, { jobTitle: 'Spokesperson', tasks: [PRESS] });
    expect(courses).toEqual([]);
    const course = await makeCourse(test, { title: { en: 'Press releases that are read' } });
    const { body } = await open(person, threadId);
    expect(body.courses.map(({ slug }: { slug: string }) => slug)).toEqual([course.slug]);
  });

  it('adds nothing to the conversation, and is refused to other users', async () => {
    const [person, other] = [await makePerson(test), await makePerson(test)];
    const { threadId } = await analysed(person, { jobTitle: 'Clerk', tasks: [PRESS] });
    expect((await open(person, threadId)).status).toBe(200);
    const { rows } = await test.ctx.pool.query('select from ai_messages where thread_id = $1', [threadId]);
    expect(rows).toHaveLength(2);
    expect((await open(other, threadId)).status).toBe(404);
    expect((await open(person, newId())).status).toBe(404);
    expect((await test.call(deleteThread, person.as, { params: { threadId } })).status).toBe(204);
    expect((await open(person, threadId)).status).toBe(404);
    expect((await list(person)).total).toBe(0);
  });

  itInProcess('has its own rate limit', async () => {
    const person = await makePerson(test);
    const { threadId } = await analysed(person, { jobTitle: 'Clerk', tasks: [PRESS] });
    const used = { key: `ai.read-job-analysis:${person.id}`, used: JOB_ANALYSIS_READS_AN_HOUR - 1 };
    await test.ctx.pool.query('insert into rate_limits (key, window_start, used) values ($1, now(), $2)', [
      used.key,
      used.used,
    ]);
    expect((await open(person, threadId)).status).toBe(200);
    const refused = await open(person, threadId);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('is allowed only to public servants and administrators', async () => {
    const other = await makePerson(test, { role: 'non-public-servant' });
    expect((await test.call(listJobAnalyses, other.as)).status).toBe(403);
    expect((await open(other, newId())).status).toBe(403);
  });
});
