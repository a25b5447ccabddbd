import { deleteSession, signOut } from '@officium/contract/auth';
import * as contract from '@officium/contract/notifications';
import { addPushDevice, MAX_PUSH_DEVICES, readPush, removePushDevice } from '@officium/contract/push';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { startPushService } from '#server/test/push-service.ts';
import { pushJob, pushWaitingJob } from './push.jobs.ts';

const service = await startPushService();
afterAll(() => service.close());
const test = await createTestApp({ PUSH_ALLOW: service.host });
const { ctx } = test;
const { db } = ctx;

let ada: TestPerson;
let bo: TestPerson;
let community: TestCommunity;

beforeEach(async () => {
  await db.updateTable('notifications').set({ read_at: new Date() }).where('read_at', 'is', null).execute();
  ada = await makePerson(test, { name: 'Ada', locale: 'fr' });
  bo = await makePerson(test, { name: 'Bo' });
  community = await makeCommunity(db, { privacy: 'closed-visible' });
  for (const person of [ada, bo]) await makeMember(db, community, person, { joinedAt: new Date(0) });
});

const mention = (body = 'Secret words') =>
  makeActivity(db, community, bo, { title: 'Forms', body: `${body} {{${ada.id}}}` });
const add = (person: TestPerson, device: { body: object }) =>
  test.call(addPushDevice, person.as, { body: device.body });
const push = async () => {
  await pushWaitingJob.run(ctx, {});
  await ctx.jobs.drain(ctx);
};
const devices = async (person: TestPerson) =>
  readPush.replies[200].parse((await test.call(readPush, person.as)).body).devices;
/** Messages that wait for a later attempt. */
const waiting = async () => {
  const { rows } = await ctx.pool.query<{ data: { failed: number; deviceId: string; notificationId: string } }>(
    `select data from jobs.job where name = $1 and state = 'created' order by created_on desc`,
    [pushJob.name],
  );
  return rows.map(({ data }) => data);
};

describe('a notification', () => {
  it('reaches each device once, encrypted, in the language of its person and without the text itself', async () => {
    const [phone, laptop] = [service.subscribe(), service.subscribe()];
    for (const device of [phone, laptop]) expect((await add(ada, device)).status).toBe(200);
    const id = await mention();
    await Promise.all([pushWaitingJob.run(ctx, {}), pushWaitingJob.run(ctx, {})]);
    await push();
    await push();
    for (const device of [phone, laptop]) {
      expect(device.messages()).toEqual([
        {
          id: expect.any(String),
          title: 'Officium',
          body: 'Bo vous mentionne : « Forms »',
          lang: 'fr',
          dir: 'ltr',
          path: `/communities/${community.slug}/activities/${id}`,
        },
      ]);
    }
    const { headers } = service.got.find(({ path }) => path === phone.path)!;
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '14400' });
    const { publicKey } = readPush.replies[200].parse((await test.call(readPush, ada.as)).body);
    expect(headers['authorization']).toMatch(new RegExp(`^vapid t=[\\w.-]+, k=${publicKey}$`));
  });

  it('is not sent when it was read, hidden, turned off, or older than the device', async () => {
    await mention();
    const device = service.subscribe();
    await add(ada, device);
    await push();
    await mention();
    await pushWaitingJob.run(ctx, {});
    await test.call(contract.readAllNotifications, ada.as);
    await push();
    const body = { events: [{ event: 'mention', push: 'never' }] };
    await test.call(contract.updateNotificationPreferences, ada.as, { body });
    await mention();
    await push();
    await db.updateTable('notifications').set({ pushed_at: new Date() }).execute();
    await test.call(contract.updateNotificationPreferences, ada.as, {
      body: { events: [{ event: 'mention', push: 'at-once' }] },
    });
    await mention();
    await db.deleteFrom('community_members').where('user_id', '=', ada.id).execute();
    await push();
    expect(device.messages()).toEqual([]);
  });

  it('is not sent to an inactive account', async () => {
    const device = service.subscribe();
    await add(ada, device);
    await mention();
    await db.updateTable('users').set({ role: 'inactive' }).where('id', '=', ada.id).execute();
    await push();
    expect(device.messages()).toEqual([]);
  });
});

describe('a push service', () => {
  it.each([404, 410])('that answers %i ends the device', async (status) => {
    const device = service.subscribe();
    service.statuses.set(device.path, status);
    await add(ada, device);
    await mention();
    await push();
    expect(await devices(ada)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it.each([429, 500, 503])('that answers %i is asked again later, then given up', async (status) => {
    const device = service.subscribe();
    service.statuses.set(device.path, status);
    await add(ada, device);
    await mention();
    await push();
    const [message] = await waiting();
    expect(message).toMatchObject({ failed: 1 });
    service.statuses.delete(device.path);
    await pushJob.run(ctx, message!);
    expect(device.messages()).toHaveLength(2);
    const before = (await waiting()).length;
    service.statuses.set(device.path, status);
    await pushJob.run(ctx, { ...message!, failed: 4 });
    expect(await waiting()).toHaveLength(before);
    expect(await devices(ada)).toHaveLength(1);
    await db.deleteFrom('push_devices').execute();
  });

  it('that refuses a message keeps the device and is not asked again', async () => {
    const device = service.subscribe();
    service.statuses.set(device.path, 413);
    await add(ada, device);
    const before = (await waiting()).length;
    await mention();
    await push();
    expect([(await devices(ada)).length, (await waiting()).length]).toEqual([1, before]);
  });

  it('that became private after the subscription is not called', async () => {
    const device = service.subscribe();
    await add(ada, device);
    const elsewhere = service.host.replace('127.0.0.1', 'localhost');
    await db
      .updateTable('push_devices')
      .set({ endpoint: `http://${elsewhere}${device.path}` })
      .where('user_id', '=', ada.id)
      .execute();
    await mention();
    await push();
    expect(device.messages()).toEqual([]);
    await db.deleteFrom('push_devices').execute();
  });
});

describe('a device', () => {
  it.each([
    'http://push.example.org/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://10.0.0.8/x',
    'https://169.254.169.254/latest',
    'https://push.example.org:8443/x',
    'https://user:pass@push.example.org/x',
    'ftp://push.example.org/x',
  ])('at %s is refused', async (endpoint) => {
    const { body } = service.subscribe();
    const answer = await add(ada, { body: { ...body, endpoint } });
    expect([answer.status, answer.body.code]).toEqual([400, 'push.wrong_address']);
  });

  it('with a key that is no point of the curve is refused', async () => {
    const { body } = service.subscribe();
    const keys = { ...body.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') };
    expect((await add(ada, { body: { ...body, keys } })).status).toBe(400);
  });

  it('beyond the limit takes the place of the one used least recently', async () => {
    const first = service.subscribe();
    await add(ada, first);
    const before = await devices(ada);
    for (let nth = 0; nth < MAX_PUSH_DEVICES; nth += 1) await add(ada, service.subscribe());
    const after = await devices(ada);
    expect(after).toHaveLength(MAX_PUSH_DEVICES);
    expect(after.map(({ id }) => id)).not.toContain(before[0]!.id);
  });

  it('that another person takes over shows only what happens to them from then on', async () => {
    const device = service.subscribe();
    await add(ada, device);
    await mention();
    await add(bo, device);
    await push();
    expect(await devices(ada)).toEqual([]);
    expect(await devices(bo)).toHaveLength(1);
    expect(device.messages()).toEqual([]);
  });

  it('ends when its person removes it, and nobody else can', async () => {
    const device = service.subscribe();
    const { id } = addPushDevice.replies[200].parse((await add(ada, device)).body);
    expect((await test.call(removePushDevice, bo.as, { params: { id } })).status).toBe(404);
    expect((await test.call(removePushDevice, ada.as, { params: { id } })).status).toBe(200);
    await mention();
    await push();
    expect(device.messages()).toEqual([]);
  });

  it('ends with its session, here and elsewhere', async () => {
    const device = service.subscribe();
    await add(ada, device);
    await test.call(signOut, ada.as);
    expect(await db.selectFrom('push_devices').select('id').where('user_id', '=', ada.id).execute()).toEqual([]);
    await add(bo, service.subscribe());
    const { session_id: id } = await db
      .selectFrom('push_devices')
      .select('session_id')
      .where('user_id', '=', bo.id)
      .executeTakeFirstOrThrow();
    await test.call(deleteSession, bo.as, { params: { id: id! } });
    expect(await db.selectFrom('push_devices').select('id').where('user_id', '=', bo.id).execute()).toEqual([]);
  });

  it('outlives a session that ran out', async () => {
    await add(ada, service.subscribe());
    const idle = new Date(Date.now() - 14 * 3600_000);
    await db.updateTable('sessions').set({ last_seen_at: idle }).where('user_id', '=', ada.id).execute();
    await db.deleteFrom('sessions').where('user_id', '=', ada.id).execute();
    const rows = await db.selectFrom('push_devices').select('session_id').where('user_id', '=', ada.id).execute();
    expect(rows).toEqual([{ session_id: null }]);
  });
});

it('new keys replace those that cannot be opened, and end all devices', async () => {
  await add(ada, service.subscribe());
  const before = readPush.replies[200].parse((await test.call(readPush, ada.as)).body);
  await db
    .updateTable('push_keys')
    .set({ sealed_private_key: Buffer.alloc(60) })
    .execute();
  const after = readPush.replies[200].parse((await test.call(readPush, ada.as)).body);
  expect(after.publicKey).not.toBe(before.publicKey);
  expect(after.devices).toEqual([]);
});
