import * as contract from '@officium/contract/notifications';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCertificate } from '#server/test/authority/things.ts';
import { completeLessons, enrol, makeCourse } from '#server/test/factories/courses.ts';
import { mailWaitingJob, notifyDueDatesJob } from './notification.jobs.ts';

const test = await createTestApp();
const { db } = test.ctx;
const remind = () => notifyDueDatesJob.run(test.ctx, {});

async function holderOf(title: string) {
  const [person, course] = [await makePerson(test), await makeCourse(test, { title: { en: title } })];
  await enrol(test, person, course.journey);
  await completeLessons(test, person, course.journey.lessons.slice(0, 3));
  const number = await makeCertificate(test, person, course.journey);
  const endIn = (days: number) =>
    sql`update certificates set expires_at = now() + make_interval(days => ${days}),
      issued_at = now() - interval '1 year' where public_id = ${number}`.execute(db);
  const told = async () =>
    (await test.call(contract.listNotifications, person.as)).body.notifications.filter(
      ({ event }: contract.Notification) => event === 'certificate_expiry',
    ) as contract.Notification[];
  const mailed = async () =>
    (await test.mails(person.email)).filter(({ subject }) => subject.includes('Renew your certificate'));
  return { person, course, number, endIn, told, mailed };
}

it('reminds the holder sixty days and again fourteen days before the end, once each', async () => {
  const { person, course, endIn, told, mailed } = await holderOf('Course of forms');
  await remind();
  expect(await told()).toEqual([]);
  await endIn(61);
  await remind();
  expect(await told()).toEqual([]);
  await endIn(59);
  await Promise.all([remind(), remind()]);
  await remind();
  const path = `/me/learning/${course.slug}/${course.journey.slug}/certificate`;
  expect(await told()).toMatchObject([{ path, isRead: false, dueAt: expect.any(String) }]);
  const waited = sql`update notifications set created_at = now() - interval '5 minutes',
    updated_at = now() - interval '5 minutes' where user_id = ${person.id}`;
  await waited.execute(db);
  await mailWaitingJob.run(test.ctx, {});
  expect(await mailed()).toHaveLength(1);
  await endIn(13);
  await remind();
  await remind();
  expect(await told()).toHaveLength(1);
  await waited.execute(db);
  await mailWaitingJob.run(test.ctx, {});
  expect(await mailed()).toHaveLength(2);
});

it('does not remind of a revoked certificate or one in the first half of its time, and hides the reminder of a renewed one', async () => {
  const revoked = await holderOf('Revoked');
  await revoked.endIn(30);
  await sql`update certificates set revoked_at = now(), revocation_reason = 'other' where public_id = ${revoked.number}`.execute(
    db,
  );
  const fresh = await holderOf('Fresh');
  await sql`update certificates set expires_at = now() + interval '30 days' where public_id = ${fresh.number}`.execute(
    db,
  );
  const renewed = await holderOf('Renewed');
  await renewed.endIn(30);
  await remind();
  expect([await revoked.told(), await fresh.told()]).toEqual([[], []]);
  expect(await renewed.told()).toHaveLength(1);
  await sql`update certificates set revoked_at = now(), revocation_reason = 'other' where public_id = ${renewed.number}`.execute(
    db,
  );
  expect(await renewed.told()).toEqual([]);
});
