import { deleteActivity, removeMember } from '@officium/contract/community';
import * as contract from '@officium/contract/notifications';
import { castVote, createCommunityPoll } from '@officium/contract/polls';
import { beforeEach, describe, expect, it } from 'vitest';
import { readDatabaseTime } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { lastMail, makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import {
  makeActivity,
  makeCommunity,
  makeMember,
  makeReaction,
  type TestCommunity,
} from '#server/test/factories/communities.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';
import { mailDigests } from './mail.service.ts';
import { mailDigestsJob, mailWaitingJob, notifyDueDatesJob, notifyPollOutcomesJob } from './notification.jobs.ts';

const test = await createTestApp();
const { ctx } = test;
const { db } = ctx;

let ada: TestPerson;
let bo: TestPerson;
let community: TestCommunity;

beforeEach(async () => {
  // Clear what earlier tests left pending.
  await db.updateTable('notifications').set({ read_at: new Date() }).where('read_at', 'is', null).execute();
  ada = await makePerson(test, { name: 'Ada', locale: 'fr' });
  bo = await makePerson(test, { name: 'Bo www.example.org/x' });
  community = await makeCommunity(db, { privacy: 'closed-visible' });
  for (const person of [ada, bo]) await makeMember(db, community, person, { joinedAt: new Date(0) });
});

const minutes = (count: number) => new Date(Date.now() - count * 60_000);
/** Moves the pending notifications some minutes back. */
const age = (count = 3) =>
  db
    .updateTable('notifications')
    .set({ created_at: minutes(count) })
    .where('read_at', 'is', null)
    .execute();
const mention = (title = 'Forms https://example.org/phish') =>
  makeActivity(db, community, bo, { title, body: `Hello {{${ada.id}}}` });
const reply = async () => {
  const activityId = await makeActivity(db, community, ada, { title: 'A question' });
  return await makeReaction(db, community, { activityId }, bo);
};
const choose = (body: object) => test.call(contract.updateNotificationPreferences, ada.as, { body });
const mailPending = () => mailWaitingJob.run(ctx, {});
const kinds = async (person: TestPerson) => (await test.mails(person.email)).map(({ kind }) => kind);
const headersOf = async (person: TestPerson) => {
  const { headers } = await db
    .selectFrom('mails')
    .select('headers')
    .where('user_id', '=', person.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return headers as Record<string, string>;
};

describe('an immediate mail', () => {
  it('is sent once after a delay, in the recipient’s language, with a link and an unsubscribe header', async () => {
    const id = await mention();
    await mailPending();
    expect(await kinds(ada)).toEqual([]);
    await age();
    await Promise.all([mailPending(), mailPending(), mailPending()]);
    await mailPending();
    expect(await kinds(ada)).toEqual(['notification']);
    const mail = await lastMail(test, ada.email, 'notification');
    expect(mail.link.pathname).toBe(`/communities/${community.slug}/activities/${id}`);
    expect(mail.locale).toBe('fr');
    expect(mail.text).toContain('Bo … vous mentionne : « Forms … »');
    expect(await headersOf(ada)).toEqual({
      'List-Unsubscribe': expect.stringMatching(
        /^<http:\/\/localhost:3000\/api\/notifications\/unsubscribe\?token=[\w.-]+>$/,
      ),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('is not sent for a notification that was read, turned off or hidden meanwhile', async () => {
    const removed = await makePerson(test);
    const owner = await makePerson(test);
    await makeMember(db, community, owner, { role: 'owner' });
    await makeMember(db, community, removed, { joinedAt: new Date(0) });
    const deleted = await mention();
    await test.call(deleteActivity, bo.as, { params: { slug: community.slug, id: deleted } });
    await mention();
    await test.call(contract.readAllNotifications, ada.as);
    await makeActivity(db, community, bo, { body: `Hello {{${removed.id}}}` });
    await test.call(removeMember, owner.as, { params: { slug: community.slug, userId: removed.id } });
    await age();
    await mailPending();
    expect([await kinds(ada), await kinds(removed)]).toEqual([[], []]);
    await choose({ events: [{ event: 'mention', mail: 'never' }] });
    await mention();
    await age();
    await mailPending();
    expect(await kinds(ada)).toEqual([]);
  });

  it('is not sent to an inactive account or an unproven address', async () => {
    for (const change of [{ role: 'inactive' }, { email_proven_at: null }]) {
      await mention();
      await age();
      await db.updateTable('users').set(change).where('id', '=', ada.id).execute();
      await mailPending();
      expect(await kinds(ada)).toEqual([]);
      const usual = { role: 'public-servant', email_proven_at: new Date() };
      await db.updateTable('users').set(usual).where('id', '=', ada.id).execute();
    }
    await mention();
    await age();
    await mailPending();
    expect(await kinds(ada)).toEqual(['notification']);
  });
});

describe('a digest', () => {
  // A Wednesday, 18:30 in UTC: 8:30 on Thursday in Kiritimati.
  const evening = new Date('2026-11-18T18:30:00Z');
  const monday = new Date('2026-11-23T09:10:00Z');

  it('is sent once at the recipient’s local hour, with all pending notifications', async () => {
    await reply();
    await reply();
    await choose({ digestHour: 8, timeZone: 'Pacific/Kiritimati' });
    await mailDigests(ctx, new Date('2026-11-18T08:30:00Z'));
    expect(await kinds(ada)).toEqual([]);
    await Promise.all([mailDigests(ctx, evening), mailDigests(ctx, evening)]);
    await reply();
    await mailDigests(ctx, evening);
    expect(await kinds(ada)).toEqual(['notification_digest']);
    const mail = await lastMail(test, ada.email, 'notification_digest');
    expect(mail.link.pathname).toBe('/notifications');
    expect(mail.text.match(/vous a répondu : « A question »/g)).toHaveLength(2);
    expect((await test.mails(ada.email))[0]?.subject).toBe('2 nouveautés pour vous');
    await mailDigests(ctx, new Date(evening.getTime() + 86_400_000));
    expect(await kinds(ada)).toEqual(['notification_digest', 'notification_digest']);
  });

  it('follows the clock of the database, not that of the process', async () => {
    await reply();
    await choose({ digestHour: (await readDatabaseTime(db)).getUTCHours(), timeZone: 'UTC' });
    const clock = { now: () => new Date(Date.now() + 5 * 3_600_000) };
    await mailDigestsJob.run({ ...ctx, clock }, {});
    expect(await kinds(ada)).toEqual(['notification_digest']);
  });

  it('includes the weekly notifications on Monday, in the same mail', async () => {
    await choose({
      events: [
        { event: 'reply', mail: 'weekly' },
        { event: 'mention', mail: 'daily' },
      ],
      digestHour: 9,
    });
    await reply();
    await mailDigests(ctx, new Date('2026-11-22T09:10:00Z'));
    expect(await kinds(ada)).toEqual([]);
    await mention();
    await mailDigests(ctx, monday);
    expect(await kinds(ada)).toEqual(['notification_digest']);
    expect((await test.mails(ada.email))[0]?.subject).toBe('2 nouveautés pour vous');
  });

  it('is sent although another user’s time zone is unknown', async () => {
    await choose({ timeZone: 'Europe/Berlin', digestHour: 9 });
    await db
      .insertInto('notification_settings')
      .values({ user_id: bo.id, time_zone: 'Atlantis/Poseidonis', secret: Buffer.alloc(32) })
      .execute();
    await reply();
    await mailDigests(ctx, new Date('2026-11-18T08:30:00Z'));
    expect(await kinds(ada)).toEqual(['notification_digest']);
  });

  it('leaves out what the recipient may no longer see', async () => {
    const owner = await makePerson(test);
    await makeMember(db, community, owner, { role: 'owner' });
    await reply();
    await test.call(removeMember, owner.as, { params: { slug: community.slug, userId: ada.id } });
    await mailDigests(ctx, new Date('2026-11-18T08:30:00Z'));
    expect(await kinds(ada)).toEqual([]);
  });
});

describe('unsubscribing', () => {
  const token = async () => /token=([^>]+)>/.exec((await headersOf(ada))['List-Unsubscribe'] ?? '')?.[1] ?? '';
  const paces = async () =>
    Object.fromEntries(
      (
        (await test.call(contract.readNotificationPreferences, ada.as)).body.events as { event: string; mail: string }[]
      ).map(({ event, mail }) => [event, mail]),
    );
  const click = (given: string, body: string | undefined = 'List-Unsubscribe=One-Click') =>
    test.send('POST', `/api/notifications/unsubscribe?token=${encodeURIComponent(given)}`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('ends mails of one kind with one click, without a session, and can be repeated', async () => {
    await mention();
    await age();
    await mailPending();
    const given = await token();
    const opened = await test.call(contract.openUnsubscribe, undefined, { query: { token: given } });
    expect([opened.status, opened.headers.location]).toEqual([302, `/unsubscribe?token=${given}`]);
    const before = await paces();
    for (let times = 0; times < 2; times += 1) {
      const answer = await click(given);
      expect([answer.status, answer.body]).toEqual([200, { event: 'mention' }]);
    }
    expect(await paces()).toEqual({ ...before, mention: 'never' });
    const { body } = await test.call(contract.readNotificationPreferences, ada.as);
    expect(body.events[1]).toEqual({ event: 'mention', inApp: 'at-once', mail: 'never', push: 'at-once' });
    expect((await test.call(contract.unsubscribe, undefined, { query: { token: given } })).status).toBe(200);
  });

  it('from a digest ends all digests', async () => {
    await reply();
    await mailDigests(ctx, new Date('2026-11-18T08:30:00Z'));
    expect((await click(await token())).body).toEqual({ event: 'digest' });
    expect(await paces()).toMatchObject({ reply: 'never', connection_accepted: 'never', mention: 'at-once' });
  });

  it('refuses tokens without a valid signature', async () => {
    await mention();
    await age();
    await mailPending();
    const given = await token();
    const [person, scope, signature] = given.split('.');
    for (const wrong of [
      'x',
      `${person}.reply.${signature}`,
      `${bo.id}.${scope}.${signature}`,
      `${person}.everything.${signature}`,
      `${person}.${scope}.`,
      `'.${scope}.${signature}`,
    ]) {
      const answer = await click(wrong);
      expect([wrong, answer.status, answer.body.code]).toEqual([wrong, 400, 'notifications.wrong_link']);
    }
    expect((await paces())['mention']).toBe('at-once');
  });
});

describe('the outcome of a poll', () => {
  it('notifies its author and voters once after the deadline', async () => {
    const params = { slug: community.slug };
    const deadline = new Date(Date.now() + 3_600_000).toISOString();
    const body = {
      title: 'Which one?',
      options: [1, 2].map((position) => ({ position, body: `Option ${position}` })),
      settings: { deadline_at: deadline },
    };
    const { body: poll } = await test.call(createCommunityPoll, bo.as, { params, body });
    await test.call(castVote, ada.as, { params: { id: poll.optionIds[0] }, body: {} });
    await notifyPollOutcomesJob.run(ctx, {});
    const told = async (person: TestPerson) =>
      (await test.call(contract.listNotifications, person.as)).body.notifications as contract.Notification[];
    expect(await told(ada)).toEqual([]);
    await db
      .updateTable('polls')
      .set({ deadline_at: minutes(1) })
      .where('id', '=', poll.id)
      .execute();
    await Promise.all([notifyPollOutcomesJob.run(ctx, {}), notifyPollOutcomesJob.run(ctx, {})]);
    for (const person of [ada, bo]) {
      expect(await told(person)).toMatchObject([{ event: 'poll_outcome', title: 'Which one?', actor: null }]);
      await test.call(contract.readAllNotifications, person.as);
    }
    await notifyPollOutcomesJob.run(ctx, {});
    expect((await told(ada)).length).toBe(1);
  });
});

describe('the end of an enrolment', () => {
  it('notifies learners with an unfinished journey a week and a day before, once each', async () => {
    const course = await makeCourse(test, { title: { en: 'Course of forms' } });
    const days = (count: number) => new Date(Date.now() + count * 86_400_000 - 60_000);
    const id = await enrol(test, ada, course.journey, { expiresOn: days(8) });
    const done = await enrol(test, bo, course.journey, { expiresOn: days(3) });
    await db.updateTable('journey_enrolments').set({ completed_at: new Date() }).where('id', '=', done).execute();
    const told = async (person: TestPerson) =>
      (await test.call(contract.listNotifications, person.as)).body.notifications as contract.Notification[];
    const move = (count: number) =>
      db
        .updateTable('journey_enrolments')
        .set({ expires_on: days(count) })
        .where('id', '=', id)
        .execute();
    await notifyDueDatesJob.run(ctx, {});
    expect(await told(ada)).toEqual([]);
    await move(5);
    await Promise.all([notifyDueDatesJob.run(ctx, {}), notifyDueDatesJob.run(ctx, {})]);
    const [first] = await told(ada);
    expect(first).toMatchObject({ event: 'due_date', title: 'Course of forms', path: `/courses/${course.slug}` });
    expect(new Date(first?.dueAt ?? 0).getTime()).toBeGreaterThan(days(4).getTime());
    await test.call(contract.readAllNotifications, ada.as);
    await notifyDueDatesJob.run(ctx, {});
    expect((await told(ada)).map(({ isRead }) => isRead)).toEqual([true]);
    await move(1);
    await notifyDueDatesJob.run(ctx, {});
    expect((await told(ada)).map(({ isRead }) => isRead)).toEqual([false, true]);
    expect(await told(bo)).toEqual([]);
    await move(-1);
    expect(await told(ada)).toEqual([]);
  });

  it.each(['course', 'journey'] as const)('sends and shows no notification for a withdrawn %s', async (what) => {
    const [cy, course] = [await makePerson(test), await makeCourse(test)];
    const entry = what === 'course' ? course.id : course.journey.entryId;
    await enrol(test, cy, course.journey, { expiresOn: new Date(Date.now() + 5 * 86_400_000) });
    const told = async () => (await test.call(contract.listNotifications, cy.as)).body.notifications;
    await setEntryStatus(test, entry, 'withdrawn');
    await notifyDueDatesJob.run(ctx, {});
    await setEntryStatus(test, entry, 'published');
    expect(await told()).toEqual([]);
    await notifyDueDatesJob.run(ctx, {});
    expect(await told()).toMatchObject([{ event: 'due_date' }]);
    await setEntryStatus(test, entry, 'withdrawn');
    expect(await told()).toEqual([]);
  });
});
