import * as contract from '@officium/contract/notifications';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';
import { mailWaitingJob, notifyDueDatesJob } from './notification.jobs.ts';

const test = await createTestApp();
const { ctx } = test;
const { db } = ctx;

/** The date this many days from today, in UTC like due days. */
const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
const dueNotificationsOf = async (person: TestPerson) =>
  (await test.call(contract.listNotifications, person.as)).body.notifications.filter(
    ({ event }: contract.Notification) => event === 'due_date',
  ) as contract.Notification[];
/** Subjects of the mails about the course. */
const mailed = async (person: TestPerson) =>
  (await test.mails(person.email))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes('Course of forms'));
const inWords = (from: number) =>
  new Date(day(from)).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const runReminders = () => notifyDueDatesJob.run(ctx, {});
const setDay = (cohort: string, from: number | null) =>
  sql`update cohort_products set due_on = ${from === null ? null : day(from)} where cohort_id = ${cohort}`.execute(db);
/** Moves the joining date of the members this many days back. */
const joinedAgo = (cohort: string, days: number) =>
  sql`update cohort_members set joined_at = now() - make_interval(days => ${days}) where cohort_id = ${cohort}`.execute(
    db,
  );

async function start(options: { by?: 'course' | 'journey' } = {}) {
  const course = await makeCourse(test, { title: { en: 'Course of forms', de: 'Formulare' } });
  const cohort = await makeCohort(test, {
    products: [options.by === 'journey' ? course.journey.entryId : course.id],
  });
  const person = await makePerson(test);
  await putInCohort(test, cohort, person);
  await joinedAgo(cohort, 100);
  return { course, cohort, person };
}

describe.each(['course', 'journey'] as const)('the day a cohort set for a %s', (by) => {
  it('sends one notification each a week before, a day before and three days after', async () => {
    const { course, cohort, person } = await start({ by });
    await setDay(cohort, 8);
    await runReminders();
    expect(await dueNotificationsOf(person)).toEqual([]);

    await setDay(cohort, 7);
    await Promise.all([runReminders(), runReminders()]);
    await runReminders();
    expect(await dueNotificationsOf(person)).toMatchObject([
      {
        due: 'due',
        title: 'Course of forms',
        path: `/courses/${course.slug}`,
        dueAt: `${day(7)}T23:59:59.999Z`,
        isRead: false,
      },
    ]);
    await test.call(contract.readAllNotifications, person.as);

    await setDay(cohort, 1);
    await Promise.all([runReminders(), runReminders()]);
    expect((await dueNotificationsOf(person)).map(({ isRead }) => isRead)).toEqual([false, true]);
    await test.call(contract.readAllNotifications, person.as);

    await setDay(cohort, -2);
    await runReminders();
    expect((await dueNotificationsOf(person)).length).toBe(2);
    await setDay(cohort, -3);
    await Promise.all([runReminders(), runReminders()]);
    await runReminders();
    const all = await dueNotificationsOf(person);
    expect(all.map(({ isRead }) => isRead)).toEqual([false, true, true]);
    expect(all[0]).toMatchObject({ due: 'late', dueAt: `${day(-3)}T23:59:59.999Z` });
  });

  it('sends and shows no notification while the content is withdrawn', async () => {
    const { course, cohort, person } = await start({ by });
    const entry = by === 'course' ? course.id : course.journey.entryId;
    await setDay(cohort, 5);
    await setEntryStatus(test, entry, 'withdrawn');
    await runReminders();
    await setEntryStatus(test, entry, 'published');
    expect(await dueNotificationsOf(person)).toEqual([]);
    await runReminders();
    expect(await dueNotificationsOf(person)).toMatchObject([{ due: 'due' }]);
    await setEntryStatus(test, entry, 'withdrawn');
    expect(await dueNotificationsOf(person)).toEqual([]);
  });
});

describe('a due day of a cohort', () => {
  it('replaces an unread notification by the next one and mails it again', async () => {
    const { cohort, person } = await start();
    await setDay(cohort, 5);
    await runReminders();
    const [first] = await dueNotificationsOf(person);
    const age = () => sql`update notifications set created_at = created_at - interval '3 minutes'`.execute(db);
    await age();
    await mailWaitingJob.run(ctx, {});
    await setDay(cohort, 0);
    await runReminders();
    const [second, ...others] = await dueNotificationsOf(person);
    expect([second?.id === first?.id, second?.isRead, others]).toEqual([false, false, []]);
    await age();
    await mailWaitingJob.run(ctx, {});
    await setDay(cohort, -4);
    await runReminders();
    await age();
    await mailWaitingJob.run(ctx, {});
    expect(await mailed(person)).toEqual([
      `“Course of forms” is due on ${inWords(5)}`,
      `“Course of forms” is due on ${inWords(0)}`,
      `“Course of forms” was due on ${inWords(-4)}`,
    ]);
  });

  it('notifies a late joiner only of days still to come', async () => {
    const { cohort, person } = await start();
    await setDay(cohort, -4);
    await joinedAgo(cohort, 0);
    await runReminders();
    expect(await dueNotificationsOf(person)).toEqual([]);
    await setDay(cohort, 3);
    await runReminders();
    expect(await dueNotificationsOf(person)).toMatchObject([{ due: 'due' }]);
  });

  it('notifies nobody who has completed, lost the enrolment or left, and hides earlier notifications', async () => {
    const { course, cohort, person } = await start();
    const [done, ended, gone] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    for (const one of [done, ended, gone]) await putInCohort(test, cohort, one);
    await enrol(test, person, course.journey);
    const completed = await enrol(test, done, course.journey);
    await sql`update journey_enrolments set completed_at = now() where id = ${completed}`.execute(db);
    await enrol(test, ended, course.journey, { expiresOn: new Date(Date.now() - 60_000) });
    await sql`delete from cohort_members where user_id = ${gone.id}`.execute(db);
    await setDay(cohort, 6);
    await runReminders();
    expect((await dueNotificationsOf(person)).length).toBe(1);
    for (const one of [done, ended, gone]) expect(await dueNotificationsOf(one)).toEqual([]);

    await sql`update journey_enrolments set completed_at = now() where user_id = ${person.id}`.execute(db);
    expect(await dueNotificationsOf(person)).toEqual([]);
    await setDay(cohort, -1);
    await runReminders();
    await sql`update journey_enrolments set completed_at = null where user_id = ${person.id}`.execute(db);
    expect((await dueNotificationsOf(person)).map(({ due }) => due)).toEqual(['late']); // the row of the week before shows the current state
  });

  it('is the earlier of two, and without one nobody is notified', async () => {
    const { course, cohort, person } = await start();
    await setDay(cohort, null);
    await runReminders();
    expect(await dueNotificationsOf(person)).toEqual([]);
    const other = await makeCohort(test, { products: [course.id] });
    await putInCohort(test, other, person);
    await setDay(cohort, 30);
    await setDay(other, 5);
    await runReminders();
    expect(await dueNotificationsOf(person)).toMatchObject([{ dueAt: `${day(5)}T23:59:59.999Z` }]);
  });

  it('is announced again when it is moved, but not long after it has passed', async () => {
    const { cohort, person } = await start();
    await setDay(cohort, 6);
    await runReminders();
    await test.call(contract.readAllNotifications, person.as);
    await setDay(cohort, 4);
    await runReminders();
    expect((await dueNotificationsOf(person)).length).toBe(2);
    const { cohort: old, person: other } = await start();
    await setDay(old, -11);
    await runReminders();
    expect(await dueNotificationsOf(other)).toEqual([]);
  });

  it('follows the preferences', async () => {
    const { cohort, person } = await start();
    const events = [{ event: 'due_date', inApp: 'never', mail: 'never' }];
    await test.call(contract.updateNotificationPreferences, person.as, { body: { events } });
    await setDay(cohort, 1);
    await runReminders();
    await sql`update notifications set created_at = created_at - interval '3 minutes'`.execute(db);
    await mailWaitingJob.run(ctx, {});
    expect(await dueNotificationsOf(person)).toEqual([]);
    expect(await mailed(person)).toEqual([]);
  });
});
