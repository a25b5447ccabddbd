import * as contract from '@officium/contract/notifications';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

const read = async (person: TestPerson) =>
  contract.readNotificationPreferences.replies[200].parse(
    (await test.call(contract.readNotificationPreferences, person.as)).body,
  );
const update = (person: TestPerson, body: object) =>
  test.call(contract.updateNotificationPreferences, person.as, { body });

it('preferences default until chosen, and keep fields that a change leaves out', async () => {
  const person = await makePerson(test);
  const usual = await read(person);
  expect(usual).toMatchObject({ digestHour: contract.DEFAULT_DIGEST_HOUR, timeZone: 'UTC' });
  expect(usual.events).toEqual(
    Object.entries(contract.NOTIFICATION_DEFAULTS).map(([event, paces]) => ({ event, ...paces })),
  );
  const events = [
    { event: 'reply', mail: 'weekly' },
    { event: 'mention', inApp: 'never' },
  ];
  const answer = await update(person, { events, digestHour: 21, timeZone: 'Asia/Kolkata' });
  const changed = contract.updateNotificationPreferences.replies[200].parse(answer.body);
  expect(await read(person)).toEqual(changed);
  expect(changed).toMatchObject({ digestHour: 21, timeZone: 'Asia/Kolkata' });
  expect(changed.events.slice(0, 2)).toEqual([
    { event: 'reply', inApp: 'at-once', mail: 'weekly', push: 'at-once' },
    { event: 'mention', inApp: 'never', mail: 'at-once', push: 'at-once' },
  ]);
  await update(person, { events: [{ event: 'reply', mail: 'daily' }], timeZone: 'Europe/Berlin' });
  expect(await read(person)).toMatchObject({ digestHour: 21, timeZone: 'Europe/Berlin' });
  const kept = await db
    .selectFrom('notification_preferences')
    .select('event')
    .where('user_id', '=', person.id)
    .execute();
  expect(kept).toEqual([{ event: 'mention' }]);
});

it('concurrent changes of preferences are both kept', async () => {
  const person = await makePerson(test);
  const names = contract.NOTIFICATION_EVENTS.slice(0, 5);
  await Promise.all(names.map((event) => update(person, { events: [{ event, mail: 'never' }] })));
  const { events } = await read(person);
  const chosen = events.filter(({ event }) => names.includes(event));
  expect(chosen.map(({ mail }) => mail)).toEqual(names.map(() => 'never'));
});

it.each([
  { digestHour: 24 },
  { digestHour: 1.5 },
  { timeZone: 'Mars/Olympus' },
  { events: [{ event: 'birthday' }] },
  { events: [{ event: 'reply', inApp: 'daily' }] },
  { other: 1 },
])('refuses the preferences %j', async (body) => {
  expect((await update(await makePerson(test), body)).status).toBe(400);
});

it('preferences hide events from list and count', async () => {
  const [person, other] = [await makePerson(test), await makePerson(test)];
  const community = await makeCommunity(db);
  await makeMember(db, community, person, { joinedAt: new Date(0) });
  await makeMember(db, community, other);
  const activityId = await makeActivity(db, community, person);
  await makeReaction(db, community, { activityId }, other);
  const unread = async () => (await test.call(contract.listNotifications, person.as)).body.unread;
  const before = await unread();
  await update(person, { events: [{ event: 'reply', inApp: 'never' }] });
  expect([before, await unread()]).toEqual([1, 0]);
});
