import { FIGURES, readFigures, readWaiting } from '@officium/contract/figures';
import { issueMyCertificate } from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { makeDecision, makeFailedJob, makeFailedMail } from '#server/test/authority/things.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';
import { completeLessons, enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { foldFiguresJob } from './figure.jobs.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
const fold = async () => await foldFiguresJob.run(test.ctx, {});

type Row = Record<(typeof FIGURES)[number], number | null> & { week: string };
async function read(query: Record<string, string | number> = {}): Promise<Row[]> {
  const { status, body } = await test.call(readFigures, admin.as, { query });
  expect([status, body]).toEqual([200, body]);
  return readFigures.replies[200].strict().parse(body).weeks;
}
const last = async (query: Record<string, string | number> = {}) => (await read(query)).at(-1)!; // there is always a current week

/** The same figures, recounted from the source tables. */
async function recount(weeks: number, cohort: string | null, course: string | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with acts as (
      select 'enrolments' as figure, e.created_at as at, e.user_id, j.course_id from journey_enrolments e join journeys j on j.key = e.journey_key
      union all select 'journeys', e.completed_at, e.user_id, j.course_id from journey_enrolments e join journeys j on j.key = e.journey_key
        where e.completed_at is not null
      union all select 'lessons', c.completed_at, c.user_id, j.course_id from lesson_completions c
        join lessons l on l.key = c.lesson_key join journeys j on j.key = l.journey_key
      union all select 'certificates', c.issued_at, c.user_id, j.course_id from certificates c join journeys j on j.key = c.journey_key
        where c.revoked_at is null
      union all select 'posts', created_at, author_id, null from activities where verb <> 'lesson' and deleted_at is null
      union all select 'replies', r.created_at, r.user_id, j.course_id from reactions r join activities a on a.id = r.activity_id
        left join lessons l on l.key = a.lesson_key left join journeys j on j.key = l.journey_key
        where r.kind = 'reply' and r.deleted_at is null
    ), counted as (
      select date_trunc('week', at, 'UTC') as week, figure, user_id from acts
      where (${course}::text is null or course_id = ${course})
        and (${cohort}::uuid is null or user_id in (select user_id from cohort_members where cohort_id = ${cohort}))
    ), new_people as (
      select date_trunc('week', created_at, 'UTC') as week from users
        where ${cohort}::uuid is null and email_proven_at is not null and erased_at is null
      union all select date_trunc('week', joined_at, 'UTC') from cohort_members where cohort_id = ${cohort}
    )
    select to_char(w at time zone 'UTC', 'YYYY-MM-DD') as week,
      (select count(distinct user_id) from counted where week = w and figure in ('lessons', 'posts', 'replies'))::int as "activePeople",
      case when ${cohort}::uuid is not null or ${course}::text is null
        then (select count(*) from new_people where week = w)::int end as "newPeople",
      ${sql.join(
        ['enrolments', 'lessons', 'journeys', 'certificates', 'posts', 'replies'].map(
          (figure) =>
            sql`(select count(*) from counted where week = w and figure = ${figure})::int as ${sql.ref(figure)}`,
        ),
      )}
    from generate_series(date_trunc('week', now(), 'UTC') - make_interval(weeks => ${weeks - 1}),
      date_trunc('week', now(), 'UTC'), '7 days') w order by w`.execute(db);
  return rows;
}

const isExact = async (scopes: { cohort?: string; course?: TestCourse }[]) => {
  for (const { cohort, course } of [{}, ...scopes] as { cohort?: string; course?: TestCourse }[]) {
    const query = { weeks: 12, ...(cohort ? { cohort } : {}), ...(course ? { course: course.slug } : {}) };
    expect(await read(query)).toEqual(await recount(12, cohort ?? null, course?.id ?? null));
  }
};

const join = async (cohort: string, people: TestPerson[], days = 0) => {
  for (const { id } of people)
    await sql`insert into cohort_members (cohort_id, user_id, joined_at)
              values (${cohort}, ${id}, now() - make_interval(days => ${days}))`.execute(db);
};

describe('readFigures', () => {
  it('matches a recount after any change, for everything, a cohort, a course and both', async () => {
    const [course, other] = [await makeCourse(test), await makeCourse(test)];
    const community = await makeCommunity(db);
    const cohort = await makeCohort(test);
    const people = await Promise.all(Array.from({ length: 6 }, () => makePerson(test)));
    const [ana, ben, cem, dai] = people as [TestPerson, TestPerson, TestPerson, TestPerson];
    await join(cohort, [ana, ben], 20);
    const scopes = [{ cohort }, { course }, { course: other }, { cohort, course }];
    for (const person of people) await makeMember(db, community, person);
    for (const person of [ana, ben, cem]) await enrol(test, person, course.journey);
    await enrol(test, dai, other.journey);
    await isExact(scopes);
    await completeLessons(test, ana, course.journey.lessons);
    await completeLessons(test, ben, course.journey.lessons.slice(0, 1));
    await completeLessons(test, dai, other.journey.lessons);
    await sql`update lesson_completions set completed_at = now() - interval '15 days' where user_id = ${dai.id}`.execute(
      db,
    );
    await isExact(scopes);
    await fold();
    await isExact(scopes);
    const at = { courseSlug: course.slug, journeySlug: course.journey.slug };
    const issued = await test.call(issueMyCertificate, ana.as, { params: at, body: {} });
    expect([issued.status, issued.body]).toEqual([201, issued.body]);
    await sql`update journey_enrolments set completed_at = now() - interval '8 days' where user_id = ${dai.id}`.execute(
      db,
    );
    const posts = [await makeActivity(db, community, ana), await makeActivity(db, community, cem)];
    const reply = await makeReaction(db, community, { activityId: posts[0]! }, ben);
    await makeReaction(db, community, { activityId: posts[0]! }, cem, { kind: 'like' });
    await isExact(scopes);
    await fold();
    await fold();
    await isExact(scopes);
    await test.send('DELETE', `/api/community/communities/${community.slug}/activities/${posts[1]!}`, {
      as: cem.as,
    });
    await sql`delete from reactions where id = ${reply}`.execute(db);
    await sql`update certificates set revoked_at = now() where user_id = ${ana.id}`.execute(db);
    await isExact(scopes);
    await join(cohort, [dai]);
    await isExact(scopes);
    for (const person of [ana, ben])
      expect((await test.send('DELETE', '/api/people/users/me', { as: person.as })).status).toBe(200);
    await isExact(scopes);
    await fold();
    await isExact(scopes);
  });

  it('counts a busy user once, and a user who acts again after all acts were undone', async () => {
    const cohort = await makeCohort(test);
    const community = await makeCommunity(db);
    const person = await makePerson(test);
    await join(cohort, [person]);
    const post = async () => await makeActivity(db, community, person);
    const posts = [await post(), await post()];
    await fold();
    await post();
    expect(await last({ cohort })).toMatchObject({ activePeople: 1, posts: 3, newPeople: 1 });
    await sql`update activities set deleted_at = now() where author_id = ${person.id}`.execute(db);
    expect(await last({ cohort })).toMatchObject({ activePeople: 0, posts: 0 });
    await fold();
    const { rows } = await sql`select 1 from person_figures where user_id = ${person.id}`.execute(db);
    expect(rows).toEqual([]);
    await sql`update activities set deleted_at = null where id = ${posts[0]!}`.execute(db);
    expect(await last({ cohort })).toMatchObject({ activePeople: 1, posts: 1 });
  });

  it('loses and doubles nothing while two jobs fold during writes', async () => {
    const community = await makeCommunity(db);
    const people = await Promise.all(Array.from({ length: 4 }, () => makePerson(test)));
    await fold();
    const before = await last();
    await Promise.all([
      ...people.map(async (person) => {
        for (let nth = 0; nth < 8; nth++) await makeActivity(db, community, person);
      }),
      ...Array.from({ length: 6 }, fold),
    ]);
    await fold();
    const after = await last();
    expect([after.posts! - before.posts!, after.activePeople! - before.activePeople!]).toEqual([32, 4]); // always numbers
    expect(await recount(1, null, null)).toMatchObject([after]);
  });

  it('returns the requested number of weeks, from Monday, ending with the current week', async () => {
    for (const weeks of [1, 4, 104]) {
      const rows = await read({ weeks });
      expect(rows).toHaveLength(weeks);
      expect(rows.every(({ week }) => new Date(week).getUTCDay() === 1)).toBe(true);
    }
    const age = Date.now() - Date.parse((await last()).week);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(7 * 86_400_000);
    expect(await read()).toHaveLength(12);
  });

  it('has no new people for a course', async () => {
    const course = await makeCourse(test);
    expect((await last({ course: course.slug })).newPeople).toBeNull();
  });

  it('refuses unknown and malformed filters', async () => {
    const ask = async (query: Record<string, string | number>) =>
      (await test.call(readFigures, admin.as, { query })).status;
    expect([await ask({ cohort: newId() }), await ask({ course: 'nothing' })]).toEqual([404, 404]);
    for (const [name, value] of [
      ['weeks', 0],
      ['weeks', 105],
      ['weeks', 'x'],
      ['cohort', 'x'],
    ] as const)
      expect([name, value, await ask({ [name]: value })]).toEqual([name, value, 400]);
  });
});

describe('readWaiting', () => {
  it('counts items that wait for an administrator', async () => {
    const read = async () => {
      const { body } = await test.call(readWaiting, admin.as);
      return readWaiting.replies[200].strict().parse(body);
    };
    const before = await read();
    await makeFailedJob(test);
    await makeFailedMail(test);
    const person = await makePerson(test);
    await sql`update users set registration_status = 'pending' where id = ${person.id}`.execute(db);
    const cohort = await makeCohort(test);
    const upload = newId();
    await sql`insert into cohort_uploads (id, cohort_id, slug, locale) values (${upload}, ${cohort}, 'x', 'en')`.execute(
      db,
    );
    await sql`insert into cohort_upload_rows (upload_id, position, email) values (${upload}, 1, 'a@example.gov'), (${upload}, 2, 'b@example.gov')`.execute(
      db,
    );
    const community = await makeCommunity(db);
    const post = await makeActivity(db, community, person);
    await sql`insert into content_reports (id, community_id, activity_id, object_id, user_id, reason)
              values (${newId()}, ${community.id}, ${post}, ${post}, ${admin.id}, 'spam')`.execute(db);
    await makeDecision(test, { communityId: community.id }, person, true);
    const managed = await makeCommunity(db);
    await makeMember(db, managed, admin, { role: 'owner' });
    for (const place of [community, managed]) await makeMember(db, place, person, { status: 'pending' });
    for (const age of ['9 minutes', '11 minutes'])
      await sql`update mails set status = 'queued', created_at = now() - ${age}::interval
                where id = ${await makeFailedMail(test)}`.execute(db);
    const after = await read();
    const grown = Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, count - before[name as keyof typeof before]]), // both have the same keys
    );
    expect(grown).toEqual({
      registrations: 1,
      reports: 1,
      appeals: 1,
      answers: 0,
      joinRequests: 1,
      uploads: 1,
      failedJobs: 1,
      failedMails: 1,
      dueMails: 1,
    });
  });
});
