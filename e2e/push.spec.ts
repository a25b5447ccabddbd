import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../server/config.ts';
import { openCtx } from '../server/app/open.ts';
import { pushWaitingJob } from '../server/areas/notifications/push.jobs.ts';
import { createLogger } from '../server/log.ts';
import { startPushService } from '../server/test/push-service.ts';
import { axeFaults } from './axe.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { callApi } from './newcomer.ts';
import { isTooWide, visitAs, WITH_SERVICE_WORKER } from './visitor.ts';

const HERE = '/me/settings/notifications';
const SWITCH_ON = 'Show notifications on this device';

let service: Awaited<ReturnType<typeof startPushService>>;
let product: DemoProduct;

beforeAll(async () => {
  service = await startPushService();
  product = await startDemo({ PUSH_ALLOW: service.host });
}, 120_000);
afterAll(async () => {
  await product.stop();
  await service.close();
});

/** Headless browsers have no push service of their own: the page gets a subscription at ours. */
async function givePushService(context: BrowserContext, given: object): Promise<void> {
  await context.addInitScript((json) => {
    let current: object | null = JSON.parse(sessionStorage.getItem('subscribed') ?? 'null') as object | null;
    const make = (of: object) => ({
      ...of,
      toJSON: () => of,
      unsubscribe: async () => {
        current = null;
        sessionStorage.removeItem('subscribed');
        return true;
      },
    });
    const replace = (name: string, value: unknown) => Object.defineProperty(PushManager.prototype, name, { value });
    replace('getSubscription', async () => current && make(current));
    replace('subscribe', async () => {
      current = json;
      sessionStorage.setItem('subscribed', JSON.stringify(json));
      return make(json);
    });
  }, given);
}

/** Shows what the page sees when a person answers the browser's question. */
async function answerPermission(page: Page, answer: 'granted' | 'denied' | 'default'): Promise<void> {
  await page.addInitScript((given) => {
    let permission = given === 'denied' ? 'denied' : 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Object.defineProperty(Notification, 'requestPermission', { value: async () => (permission = given) });
  }, answer);
}

async function open(options = {}) {
  const visitor = await visitAs('learner', { ...WITH_SERVICE_WORKER, baseURL: product.url, ...options });
  return visitor;
}

describe('notifications on a device', () => {
  it('are switched on by a button, sent encrypted, and switched off again', { timeout: 180_000 }, async () => {
    const device = service.subscribe();
    const { page, context, faults } = await open();
    await givePushService(context, device.body);
    await answerPermission(page, 'granted');
    await page.goto(HERE);
    await page.getByRole('button', { name: SWITCH_ON }).click();
    await page.getByText('This device shows notifications from now on.').waitFor();
    await page.getByText('This device', { exact: true }).waitFor();
    await page.getByText('This device shows notifications.', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    const moderator = await visitAs('moderator', { baseURL: product.url });
    const { viewer } = await callApi(context, 'GET', '/api/auth/session');
    await callApi(moderator.context, 'POST', '/api/community/communities/plain-words/activities', {
      title: 'Forms',
      body: `Hello {{${viewer.id}}}`,
    });
    await pushWaiting();
    await expect.poll(() => device.messages().length, { timeout: 20_000 }).toBe(1);
    const [message] = device.messages();
    expect(message).toMatchObject({ lang: 'en', dir: 'ltr', body: expect.stringContaining('mentioned you') });
    expect(message.path).toMatch(/^\/communities\/plain-words\/activities\//);

    await page.getByRole('button', { name: /^Switch off: / }).click();
    await page.getByText('That device no longer shows notifications.').waitFor();
    await page.getByRole('button', { name: SWITCH_ON }).waitFor();
    expect(faults).toEqual([]);
    for (const each of [context, moderator.context]) await each.close();
  });

  it.each([
    ['denied', 'Your browser blocks notifications from this site.'],
    ['default', 'Your browser did not get your permission.'],
  ] as const)('are explained when the permission is %s', { timeout: 120_000 }, async (answer, text) => {
    const { page, context } = await open({ viewport: { width: 320, height: 700 } });
    await givePushService(context, service.subscribe().body);
    await answerPermission(page, answer);
    await page.goto(HERE);
    if (answer === 'default') await page.getByRole('button', { name: SWITCH_ON }).click();
    await page.getByText(text).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    await context.close();
  });

  it('are shown by the worker in their language, and end for another person', { timeout: 120_000 }, async () => {
    const { page, context } = await open();
    await context.grantPermissions(['notifications'], { origin: product.url });
    await page.goto(HERE);
    const registrationId = await registrationOf(page);
    const [worker] = context.serviceWorkers();
    // A browser without a window shows nothing, so the worker notes what it asks for.
    await worker!.evaluate(() => {
      const own = self as unknown as { shown: unknown[]; ended: number; registration: ServiceWorkerRegistration };
      Object.assign(own, { shown: [], ended: 0 });
      own.registration.showNotification = async (title, options) => void own.shown.push({ title, ...options });
      const subscription = { unsubscribe: async () => Boolean((own.ended += 1)) };
      Object.defineProperty(PushManager.prototype, 'getSubscription', { value: async () => subscription });
    });
    const noted = () =>
      worker!.evaluate(() => {
        const { shown, ended } = self as unknown as { shown: unknown[]; ended: number };
        return { shown, ended };
      });
    const message = { id: 'n1', title: 'Officium', body: 'مرحبا', lang: 'ar', dir: 'rtl', path: '/communities' };
    const devtools = await context.newCDPSession(page);
    await devtools.send('ServiceWorker.enable');
    const data = JSON.stringify(message);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: product.url, registrationId, data });
    const expected = [
      { title: 'Officium', body: 'مرحبا', lang: 'ar', dir: 'rtl', tag: 'n1', data: { path: '/communities' } },
    ];
    await expect.poll(async () => (await noted()).shown, { timeout: 15_000 }).toMatchObject(expected);

    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      active?.postMessage({ kind: 'shows', person: 'somebody else' });
    });
    expect((await noted()).ended).toBe(0);
    await page.reload();
    await expect.poll(async () => (await noted()).ended, { timeout: 15_000 }).toBeGreaterThan(0);
    await context.close();
  });
});

/** The id by which the browser names the worker of the product. */
async function registrationOf(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${product.url}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return await found;
}

/** Claims and queues what devices have to show; the product does so each minute. */
async function pushWaiting(): Promise<void> {
  const { url, dataDir, databaseUrl } = product;
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: url, ROLE: 'web', PUSH_ALLOW: service.host });
  const { ctx, close } = await openCtx(config, databaseUrl, createLogger({ logLevel: 'fatal' }));
  await pushWaitingJob.run(ctx, {});
  await close();
}
