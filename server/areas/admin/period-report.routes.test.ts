import { readPeriodReport } from '@officium/contract/period-reports';
import { giveRole } from '@officium/contract/roles';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { completeLessons, enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { countAllMonthsJob } from './learning-month.jobs.ts';

const test = await createTestApp();
const { ctx } = test;
const { db } = ctx;
const admin = await makePerson(test, { role: 'administrator' });

let course: TestCourse;
let other: TestCourse;
let cohort: string;
const tax: TestPerson[] = [];
const water: TestPerson[] = [];

const at = async (people: TestPerson[], time: string) => {
  const ids = people.map(({ id }) => id);
  await sql`update lesson_completions set completed_at = ${time} where user_id = any(${ids}::uuid[])`.execute(db);
  await sql`update journey_enrolments set created_at = ${time} where user_id = any(${ids}::uuid[])`.execute(db);
};
const organise = async (people: TestPerson[], organization: string, code: string) =>
  await sql`update users set organization = ${organization}, location = ${JSON.stringify({ id: code, en: code, code })}
    where id = any(${people.map(({ id }) => id)}::uuid[])`.execute(db);
const read = async (query: Record<string, string>, as: As = admin.as) =>
  await test.call(readPeriodReport, as, { query: { period: 'quarter', start: '2025-05', ...query } });

beforeAll(async () => {
  course = await makeCourse(test, { title: { en: 'Letters' } });
  other = await makeCourse(test, { title: { en: 'Budgets' } });
  await sql`update lessons set minutes = 30`.execute(db);
  cohort = await makeCohort(test, { name: 'Intake', products: [course.id] });
  for (let nth = 0; nth < 12; nth += 1) tax.push(await makePerson(test));
  for (let nth = 0; nth < 3; nth += 1) water.push(await makePerson(test));
  const [lesson] = course.journey.lessons;
  for (const person of [...tax, ...water]) {
    await enrol(test, person, course.journey);
    await completeLessons(test, person, lesson ? [lesson] : []);
  }
  const [budgets] = other.journey.lessons;
  await enrol(test, tax[0]!, other.journey);
  await completeLessons(test, tax[0]!, budgets ? [budgets] : []);
  for (const person of tax.slice(0, 6)) await putInCohort(test, cohort, person);
  await at([...tax.slice(0, 10), ...water], '2025-05-20T10:00:00Z');
  await at(tax.slice(10), '2025-02-20T10:00:00Z');
  await organise(tax.slice(1), 'Tax Office', 'DE');
  await organise(tax.slice(0, 1), ' tax office', 'de');
  await organise(water, 'Water', 'FR');
  await sql`update journey_enrolments set completed_at = '2025-06-01T00:00:00Z'
    where journey_key = ${course.journey.key} and user_id = any(${tax.slice(0, 5).map(({ id }) => id)}::uuid[])`.execute(
    db,
  );
  await countAllMonthsJob.run(ctx, {});
});

describe('readPeriodReport', () => {
  it('tells exact totals with the period before, and counts the same when counted again', async () => {
    const { body } = await read({ by: 'course' });
    expect(body).toMatchObject({
      period: { from: '2025-04-01', to: '2025-06-30' },
      before: { from: '2025-01-01', to: '2025-03-31' },
      isCoarse: false,
      total: {
        now: { active: 13, minutes: 14 * 30, enrolments: 14, completions: 5, open: 16 },
        before: { active: 2, minutes: 60, enrolments: 2, completions: 0, open: 2 },
      },
      groups: [
        { key: course.slug, label: 'Letters', now: { active: 13, completions: 5 } },
        { key: other.slug, label: 'Budgets', now: { active: 1, minutes: 30 } },
      ],
      others: null,
    });
    await countAllMonthsJob.run(ctx, {});
    expect((await read({ by: 'course' })).body).toEqual(body);
    expect((await read({ period: 'month', start: '2025-05', by: 'course' })).body.total).toMatchObject({
      now: { active: 13, completions: 0 },
      before: { active: 0 },
    });
    expect((await read({ period: 'year', by: 'course' })).body.total.now).toMatchObject({ active: 15, enrolments: 16 });
  });

  it('rounds organisations and countries, whatever their spelling, and names no small one', async () => {
    for (const by of ['organization', 'country']) {
      const { body } = await read({ by });
      expect(body.isCoarse).toBe(true);
      // Three people of the water office remain, so the tax office would tell about them as the difference.
      expect(body.groups).toEqual([]);
      expect(body.others.now).toMatchObject({ active: 15, completions: 5 });
      expect(JSON.stringify(body)).not.toMatch(/water|fr"/i);
    }
    const rail = await Promise.all(Array.from({ length: 7 }, async () => await makePerson(test)));
    const [lesson] = course.journey.lessons;
    for (const person of rail) await completeLessons(test, person, lesson ? [lesson] : []);
    await at(rail, '2025-05-20T10:00:00Z');
    await organise(rail, 'Railway', 'ES');
    await countAllMonthsJob.run(ctx, {});
    const { body } = await read({ by: 'organization' });
    expect(body.groups.map((one: { label: string; now: object }) => [one.label, one.now])).toMatchObject([
      ['Tax Office', { active: 10, enrolments: 10 }],
      ['Railway', { active: 5 }],
    ]);
    expect(body.others.now).toBeNull();
    await sql`delete from lesson_completions where user_id = any(${rail.map(({ id }) => id)}::uuid[])`.execute(db);
    await countAllMonthsJob.run(ctx, {});
    expect((await read({ by: 'course' })).body.total.now.active).toBe(13);
  });

  it('is restricted to a cohort or a course', async () => {
    const ofCohort = (await read({ by: 'cohort', cohort })).body;
    expect(ofCohort.total.now).toMatchObject({ active: 6, completions: 5 });
    expect(ofCohort.groups).toMatchObject([{ key: cohort, label: 'Intake', now: { active: 6 } }]);
    const parts: Record<string, string>[] = [{ cohort }, { course: course.slug }];
    for (const by of ['organization', 'country'])
      for (const part of parts) {
        const small = (await read({ by, period: 'year', ...part })).body;
        expect([small.groups, small.others.now === null]).toEqual([[], false]);
      }
    expect((await read({ by: 'course', cohort, course: other.slug })).body.total.now).toMatchObject({ active: 1 });
    expect((await read({ course: 'no-such-course' })).status).toBe(404);
    expect((await read({ start: '2025-13' })).status).toBe(400);
    expect((await read({ by: 'shoes' })).status).toBe(400);
  });

  it('names to a reader of one cohort neither other cohorts nor courses', async () => {
    const reader = await makePerson(test);
    const body = { role: 'report-reader', kind: 'cohort', placeId: cohort };
    await test.call(giveRole, admin.as, { params: { id: reader.id }, body });
    const secret = await makeCohort(test, { name: 'Secret' });
    await putInCohort(test, secret, tax[0]!);
    expect((await read({}, reader.as)).status).toBe(404);
    expect((await read({ cohort: secret }, reader.as)).status).toBe(404);
    const own = (await read({ by: 'cohort', cohort }, reader.as)).body;
    expect(own.groups.map(({ label }: { label: string }) => label)).toEqual(['Intake']);
    expect((await read({ by: 'course', cohort }, reader.as)).body.groups).toEqual([]);
  });
});
