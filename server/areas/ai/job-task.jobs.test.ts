import { analyseJob, classifyTask, JOB_TASK_REQUESTS_AN_HOUR } from '@officium/contract/job-tasks';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { packOccupations } from './job-task-file.format.ts';
import { loadFile } from './job-task-load.service.ts';
import { ensureJobTasks } from './job-task.jobs.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { ctx } = test;

async function statements(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from job_statements`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

describe('before the statements are loaded', () => {
  it('requests get a 503 instead of a wrong answer', async () => {
    const person = await makePerson(test);
    const replies = [
      await test.call(classifyTask, person.as, { body: { task: 'Write press releases' } }),
      await test.call(analyseJob, person.as, { body: { jobTitle: 'Chief executive' } }),
    ];
    for (const { status, headers } of replies) {
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('each user has a rate limit per operation', async () => {
    const [person, other] = [await makePerson(test), await makePerson(test)];
    const classify = async (by: typeof person) =>
      await test.call(classifyTask, by.as, { body: { task: 'Write press releases' } });
    const statuses = new Set<number>();
    for (let count = 0; count < JOB_TASK_REQUESTS_AN_HOUR; count++) statuses.add((await classify(person)).status);
    expect([...statuses]).toEqual([503]);
    const refused = await classify(person);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await classify(other)).status).toBe(503);
    expect((await test.call(analyseJob, person.as, { body: { jobTitle: 'Nurse' } })).status).toBe(503);
  });
});

describe('the loading job', () => {
  const few = async (version: string, ...texts: string[]) => ({
    version,
    packed: await packOccupations([
      {
        code: '11-1011.00',
        title: 'Chief Executives',
        statements: texts.map((text, index) => ({
          id: index + 1,
          text,
          kind: 'core',
          model: 'E0',
          people: 'E0',
          automationGrade: 1,
        })),
      },
    ]),
  });

  it('runs once across processes', async () => {
    await sql`create table loads (version text)`.execute(ctx.db);
    await sql`create function note_load() returns trigger language plpgsql as
      $$ begin insert into loads values (new.version); return new; end $$`.execute(ctx.db);
    await sql`create trigger loads after insert or update on job_task_load
      for each row execute function note_load()`.execute(ctx.db);
    const file = await few('first', 'Write letters.', 'Chair meetings.');
    await Promise.all([loadFile(ctx, file), loadFile(ctx, file), loadFile(ctx, file)]);
    await loadFile(ctx, file);
    expect((await sql`select from loads`.execute(ctx.db)).rows).toHaveLength(1);
    expect(await statements()).toBe(2);
  });

  it('is enqueued at startup when the content differs, and replaces it', async () => {
    await ensureJobTasks(ctx);
    expect(await test.drain()).toBe(1);
    expect(await statements()).toBe(19_265);
    const person = await makePerson(test);
    const task = 'Appoint department heads or managers and assign responsibilities';
    const { body } = await test.call(classifyTask, person.as, { body: { task } });
    expect(body.references[0]).toMatchObject({ onetCode: '11-1011.00', taskId: 8831, exposure: 0 });
    await ensureJobTasks(ctx);
    expect(await test.drain()).toBe(0);
  });

  it('keeps the loaded data when it fails', async () => {
    await sql`alter table job_spellings add constraint no_more check (spelling is null) not valid`.execute(ctx.db);
    await expect(loadFile(ctx, await few('last', 'Write letters.', 'Chair meetings.'))).rejects.toThrow('no_more');
    expect(await statements()).toBe(19_265);
    await ensureJobTasks(ctx);
    expect(await test.drain()).toBe(0);
  });
});
