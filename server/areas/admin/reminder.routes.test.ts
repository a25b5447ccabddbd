import { archiveCohort } from '@officium/contract/cohort-lifecycle';
import { listCohortProgress } from '@officium/contract/cohorts';
import { remindLearners } from '@officium/contract/cohort-reminders';
import { readCohortSettings, updateCohortSettings } from '@officium/contract/cohort-settings';
import { listNotifications, updateNotificationPreferences } from '@officium/contract/notifications';
import { giveRole } from '@officium/contract/roles';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { mailWaitingJob, notifyDueDatesJob } from '#server/areas/notifications/notification.jobs.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { ctx } = test;
const { db } = ctx;
const admin = await makePerson(test, { role: 'administrator' });

const reminders = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as)).body.notifications.filter(
    ({ event }: { event: string }) => event === 'reminder',
  );

async function start(people: number) {
  const course = await makeCourse(test, { title: { en: 'Letters' } });
  const cohort = await makeCohort(test, { products: [course.journey.entryId] });
  const members = await Promise.all(Array.from({ length: people }, async () => await makePerson(test)));
  for (const person of members) await putInCohort(test, cohort, person);
  const remind = async (body: object = {}, as = admin.as) => {
    const answer = await test.call(remindLearners, as, { params: { id: cohort, journeyId: course.journey.key }, body });
    await test.drain();
    return answer;
  };
  return { course, cohort, members, remind };
}
const complete = async (person: TestPerson, journeyKey: string) =>
  await sql`update journey_enrolments set completed_at = now() where user_id = ${person.id} and journey_key = ${journeyKey}`.execute(
    db,
  );
const daysAgo = async (days: number) =>
  await sql`update learner_reminders set sent_at = sent_at - make_interval(days => ${days})`.execute(db);

describe('remindLearners', () => {
  it('notifies and mails everyone who has not finished, once a day, with the words of the sender', async () => {
    const { course, cohort, members, remind } = await start(3);
    const [idle, started, finished] = members as [TestPerson, TestPerson, TestPerson];
    for (const person of [started, finished]) await enrol(test, person, course.journey);
    await complete(finished, course.journey.key);
    const words = 'Please finish this week.\n\nSee www.ministry.example/help or ask Nora.';
    expect((await remind({ words })).body).toEqual({ people: 2, skipped: 0 });
    expect(await reminders(idle)).toMatchObject([
      { title: 'Letters', words, path: `/courses/${course.slug}`, isRead: false },
    ]);
    expect([(await reminders(started)).length, await reminders(finished)]).toEqual([1, []]);
    expect((await remind()).body).toEqual({ people: 0, skipped: 2 });

    await sql`update notifications set created_at = created_at - interval '3 minutes'`.execute(db);
    await mailWaitingJob.run(ctx, {});
    const [mail] = (await test.mails(idle.email)).filter(({ subject }) => subject.includes('reminds you'));
    expect(mail?.body_text).toContain(
      '\n\nCity of Example writes:\n> Please finish this week.\n>\n> See … or ask Nora.\n\nYou can choose',
    );
    const [reminder] = (
      await sql<{ id: string }>`select id from cohort_reminders where cohort_id = ${cohort}`.execute(db)
    ).rows;
    const { rows } = await sql`select detail ->> 'reminderId' as id from audit_log
      where object = ${cohort} and action = 'admin.remind-learners' and detail ? 'reminderId'`.execute(db);
    expect(rows).toEqual([reminder]);

    await daysAgo(1);
    expect((await remind({ words: 'Again.' })).body).toEqual({ people: 2, skipped: 0 });
    expect((await reminders(idle)).map((one: { words: string }) => one.words)).toEqual(['Again.']);
    await enrol(test, idle, course.journey);
    await complete(idle, course.journey.key);
    expect(await reminders(idle)).toEqual([]);
  });

  it('reminds only selected people and those in a state', async () => {
    const { course, cohort, members, remind } = await start(3);
    const [one, two, three] = members as [TestPerson, TestPerson, TestPerson];
    expect((await remind({ userIds: [one.id, admin.id] })).body).toEqual({ people: 1, skipped: 0 });
    await enrol(test, two, course.journey);
    await sql`update journey_enrolments set started_at = now() where user_id = ${two.id}`.execute(db);
    expect((await remind({ state: 'not-started' })).body).toEqual({ people: 1, skipped: 1 });
    expect([(await reminders(two)).length, (await reminders(three)).length]).toEqual([0, 1]);
    expect((await remind({ state: 'late' })).body).toEqual({ people: 0, skipped: 0 });
    await sql`update cohort_products set due_on = current_date - 2 where cohort_id = ${cohort}`.execute(db);
    expect((await remind({ state: 'late' })).body).toEqual({ people: 1, skipped: 2 });
    const { people } = (
      await test.call(listCohortProgress, admin.as, { params: { id: cohort, journeyId: course.journey.key } })
    ).body;
    expect(people.every((person: { remindedAt: string | null }) => person.remindedAt !== null)).toBe(true);
    expect((await remind({ state: 'finished' })).status).toBe(400);
    expect((await remind({ words: 'a'.repeat(1001) })).status).toBe(400);
  });

  it('counts a day for each journey and person, whichever cohort asks', async () => {
    const { course, members, remind } = await start(1);
    const [person] = members as [TestPerson];
    const other = await makeCohort(test, { products: [course.id] });
    await putInCohort(test, other, person);
    expect((await remind()).body.people).toBe(1);
    const params = { id: other, journeyId: course.journey.key };
    expect((await test.call(remindLearners, admin.as, { params, body: {} })).body).toEqual({ people: 0, skipped: 1 });
    const concurrent = await start(1);
    await Promise.all([concurrent.remind(), concurrent.remind()]);
    expect((await reminders(concurrent.members[0]!)).length).toBe(1);
  });

  it('leaves out ended enrolments, withdrawn journeys and archived cohorts, and follows preferences', async () => {
    const { course, cohort, members, remind } = await start(2);
    const [ended, silent] = members as [TestPerson, TestPerson];
    await enrol(test, ended, course.journey, { expiresOn: new Date(Date.now() - 60_000) });
    const events = [{ event: 'reminder', inApp: 'never', mail: 'never' }];
    await test.call(updateNotificationPreferences, silent.as, { body: { events } });
    expect((await remind()).body).toEqual({ people: 1, skipped: 0 });
    expect([await reminders(ended), await reminders(silent)]).toEqual([[], []]);
    await setEntryStatus(test, course.journey.entryId, 'withdrawn');
    expect((await remind()).status).toBe(404);
    await setEntryStatus(test, course.journey.entryId, 'published');
    await test.call(archiveCohort, admin.as, { params: { id: cohort } });
    expect((await remind()).body.code).toBe('admin.cohort_archived');
  });

  it('is for managers of the cohort, not for readers of its reports', async () => {
    const { cohort, remind } = await start(1);
    const [manager, reader] = [await makePerson(test), await makePerson(test)];
    for (const [person, role] of [
      [manager, 'cohort-manager'],
      [reader, 'report-reader'],
    ] as const)
      await test.call(giveRole, admin.as, {
        params: { id: person.id },
        body: { role, kind: 'cohort', placeId: cohort },
      });
    expect((await remind({}, reader.as)).status).toBeGreaterThanOrEqual(403);
    expect((await remind({}, manager.as)).status).toBe(202);
  });

  it('reaches more people than one batch holds', async () => {
    const { cohort, remind } = await start(0);
    await sql`
      with made as (
        insert into users (id, name, email, email_proven_at)
        select new_id(), 'Member', 'member' || n || '@reminders.example', now() from generate_series(1, 501) n returning id)
      insert into cohort_members (cohort_id, user_id) select ${cohort}, id from made`.execute(db);
    expect((await remind()).body).toEqual({ people: 501, skipped: 0 });
    await test.drain();
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from notifications n join cohort_reminders r on r.id = n.object_id
      where r.cohort_id = ${cohort}`.execute(db);
    expect(rows).toEqual([{ count: 501 }]);
  });
});

describe('the settings of a cohort', () => {
  it('switch automatic reminders off and on', async () => {
    const { cohort, members } = await start(1);
    const [person] = members as [TestPerson];
    const params = { id: cohort };
    const due = async () =>
      (await test.call(listNotifications, person.as)).body.notifications.filter(
        ({ event }: { event: string }) => event === 'due_date',
      ).length;
    await sql`update cohort_products set due_on = current_date + 1 where cohort_id = ${cohort}`.execute(db);
    const off = await test.call(updateCohortSettings, admin.as, { params, body: { remindsOfDueDates: false } });
    expect(off.body).toMatchObject({ remindsOfDueDates: false });
    await notifyDueDatesJob.run(ctx, {});
    expect(await due()).toBe(0);
    await test.call(updateCohortSettings, admin.as, { params, body: { remindsOfDueDates: true } });
    expect((await test.call(readCohortSettings, admin.as, { params })).body).toMatchObject({ remindsOfDueDates: true });
    await notifyDueDatesJob.run(ctx, {});
    expect(await due()).toBe(1);
    expect((await test.call(updateCohortSettings, admin.as, { params, body: { other: 1 } })).status).toBe(400);
  });
});
