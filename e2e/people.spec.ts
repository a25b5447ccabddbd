import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { mailTo, visit, type Visit } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

type Newcomer = Visit & { id: string; name: string; profile: string };

/** The header of requests from our own pages. */
const headers = { 'sec-fetch-site': 'same-origin' };

/** Signs up a new person. */
async function newcomer(name: string, options: BrowserContextOptions = {}): Promise<Newcomer> {
  const visitor = await visit(options);
  const email = `${name.toLowerCase().replaceAll(' ', '-')}-${Date.now()}@example.gov`;
  const { request } = visitor.context;
  const signedUp = await request.post('/api/auth/users', { headers, data: { email, name } });
  expect(signedUp.status()).toBe(200);
  const [code] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? [];
  expect((await request.post('/api/auth/signups', { headers, data: { email, code } })).status()).toBe(200);
  const { viewer } = await (await request.get('/api/auth/session')).json();
  return { ...visitor, id: viewer.id, name, profile: `/people/${viewer.id}` };
}

/** Waits for a text on the page. */
const waitForText = async (page: Page, text: string | RegExp) => await page.getByText(text).first().waitFor();

let nadia: Newcomer;
let piet: Newcomer;
beforeAll(async () => {
  [nadia, piet] = [await newcomer('Nadia Stern'), await newcomer('Piet Maas', { javaScriptEnabled: false })];
});

describe('connecting', () => {
  it('passes through every state between two people, one of them without JavaScript', async () => {
    const [nadiaPage, pietPage] = [nadia.page, piet.page];
    await nadiaPage.goto(piet.profile);
    await button(nadiaPage, 'Ask to connect').click();
    await waitForText(nadiaPage, 'You asked Piet Maas to connect.');
    await button(nadiaPage, 'Withdraw the request').click();
    await waitForText(nadiaPage, 'Your request to Piet Maas has been withdrawn.');
    await button(nadiaPage, 'Ask to connect').click();
    await button(nadiaPage, 'Withdraw the request').waitFor();
    await nadiaPage.goto('/me/connections?tab=sent');
    await link(nadiaPage, 'Piet Maas').waitFor();
    expect(await link(nadiaPage, /^Sent/).innerText()).toMatch(/1$/);

    await pietPage.goto('/me/connections');
    expect(await link(pietPage, /^Requests/).innerText()).toMatch(/1$/);
    await button(pietPage, 'Decline Nadia Stern').click();
    await waitForText(pietPage, 'You declined Nadia Stern’s request.');
    await waitForText(pietPage, 'No requests waiting for you');
    await nadiaPage.goto(piet.profile);
    await waitForText(nadiaPage, /^They declined your request\. You may ask again from/);
    expect(await button(nadiaPage, 'Ask to connect').count()).toBe(0);

    await pietPage.goto(nadia.profile);
    await button(pietPage, 'Ask to connect').click();
    await waitForText(pietPage, /^You asked to connect/);
    await nadiaPage.goto(piet.profile);
    await waitForText(nadiaPage, 'Piet Maas would like to connect with you.');
    await button(nadiaPage, 'Accept Piet Maas').press('Enter');
    await waitForText(nadiaPage, 'You and Piet Maas are connected.');
    expect(await nadiaPage.evaluate(() => document.activeElement !== document.body)).toBe(true);

    await pietPage.goto('/me/connections?tab=accepted&q=NADIA');
    await pietPage.locator('summary', { hasText: 'Connected Nadia Stern' }).click();
    await waitForText(pietPage, 'You and Nadia Stern will no longer be connected');
    await button(pietPage, 'Remove the connection').click();
    await waitForText(pietPage, 'You and Nadia Stern are no longer connected.');
    await pietPage.goto('/me/connections?tab=accepted');
    await waitForText(pietPage, 'You have no connections yet');
    expect([...nadia.faults, ...piet.faults]).toEqual([]);
  });

  it('opens a private profile, and nothing else does', async () => {
    const { page: nadiaPage, context } = nadia;
    const secret = 'Keeper of the lighthouse at Farol';
    const { request } = context;
    expect(
      (await request.put('/api/account/accounts/me/profile', { headers, data: { jobTitle: secret } })).status(),
    ).toBe(200);
    await piet.page.goto(nadia.profile);
    await waitForText(piet.page, secret);
    await request.put('/api/account/accounts/me/visibility', { headers, data: { visibility: 'private' } });
    const hidden = await (await piet.page.goto(nadia.profile))?.text();
    expect(hidden).toContain('This person shows their profile only to their connections.');
    expect(hidden).not.toContain(secret);
    await button(piet.page, 'Ask to connect').click();
    await button(piet.page, 'Withdraw the request').waitFor();
    await nadiaPage.goto('/me/connections');
    await button(nadiaPage, 'Accept Piet Maas').click();
    await waitForText(nadiaPage, 'You and Piet Maas are connected.');
    await piet.page.goto(nadia.profile);
    await waitForText(piet.page, secret);

    await nadiaPage.goto('/me');
    await waitForText(nadiaPage, 'Visible to your connections only.');
    await link(nadiaPage, 'View as others').click();
    await waitForText(nadiaPage, 'Everyone except your connections sees only this: your name.');
    expect(await nadiaPage.getByText(secret).count()).toBe(0);
  });

  it('answers alike for deleted and unknown people', async () => {
    const answer = await nadia.page.goto('/people/00000000-0000-7000-8000-000000000000');
    expect(answer?.status()).toBe(404);
    await waitForText(nadia.page, 'Person not found');
    expect((await nadia.page.goto('/people/nobody'))?.status()).toBe(404);
  });
});

const CORPUS = fileURLToPath(new URL('../../shared/data/images-pillow/valid/', import.meta.url));
/** A sample picture from beside the checkout if available, otherwise one of our own. */
const flower = existsSync(`${CORPUS}flower.jpg`)
  ? `${CORPUS}flower.jpg`
  : fileURLToPath(new URL('../web/public/social.png', import.meta.url));

/** A uniform PNG with this edge length, in a few kilobytes. */
function greyPng(edge: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let crc = 0xffffffff;
    for (const byte of body) crc = (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(edge, 0);
  head.writeUInt32BE(edge, 4);
  head[8] = 1; // 1 bit per pixel, greyscale
  const rows = Buffer.alloc(edge * (1 + Math.ceil(edge / 8)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const bomb = { name: 'bomb.png', mimeType: 'image/png', buffer: greyPng(14_000) };
const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74]) };
const CANNOT = 'This file cannot be opened as a picture';
const chooser = (page: Page) => page.getByLabel('Choose a picture');

describe('a profile picture', () => {
  it('is cropped by keyboard, uploaded, shown and removed', async () => {
    const { page } = nadia;
    await page.goto('/me');
    await link(page, 'Add a picture').click();
    for (const file of [broken, bomb]) {
      await chooser(page).setInputFiles(file);
      await waitForText(page, CANNOT);
      await page.reload();
    }
    await chooser(page).setInputFiles(flower);
    await page.getByRole('heading', { name: 'Crop your picture' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const pixels = async () =>
      await page
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const whole = await pixels();
    const slider = (name: string) => page.getByRole('slider', { name });
    expect(await slider('Vertical position').isDisabled()).toBe(true); // a wide picture fills the frame's height
    await slider('Zoom').focus();
    for (let n = 0; n < 25; n += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expect.poll(() => slider('Horizontal position').getAttribute('aria-valuetext')).toBe('100%');
    await slider('Vertical position').press('Home');
    const corner = await pixels();
    expect(corner).not.toBe(whole);
    const frame = await page.locator('canvas').first().boundingBox();
    await page.mouse.move(frame!.x + 100, frame!.y + 100); // it exists: it was read above
    await page.mouse.down();
    await page.mouse.move(frame!.x + 160, frame!.y + 130, { steps: 3 });
    await page.mouse.up();
    expect(await pixels()).not.toBe(corner);
    expect(await slider('Horizontal position').getAttribute('aria-valuetext')).not.toBe('100%');
    await button(page, 'Use this picture').press('Enter');
    await waitForText(page, 'Your picture has been changed.');
    const face = page.locator('main img');
    await face.waitFor();
    expect(await face.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(512);
    await page.locator('summary', { hasText: 'Remove your picture' }).click();
    await button(page, 'Remove your picture').click();
    await waitForText(page, 'Your picture has been removed.');
    expect(await page.locator('main img').count()).toBe(0);
    expect(nadia.faults).toEqual([]);
  });

  it('is uploaded by a plain form, which explains what is wrong with a file', async () => {
    const { page } = piet;
    const answer = await page.goto('/me/settings/picture');
    expect(await answer?.text()).toContain('It is cropped to a square around its middle.');
    const send = async (file: Parameters<ReturnType<typeof chooser>['setInputFiles']>[0]) => {
      await chooser(page).setInputFiles(file);
      await button(page, 'Upload the picture').click();
    };
    for (const file of [broken, bomb, { ...broken, name: 'notes.txt', mimeType: 'text/plain' }]) {
      await send(file);
      await waitForText(page, CANNOT);
    }
    await send({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
    await waitForText(page, 'Choose a file of at most 5 MB.');
    await send([]);
    await waitForText(page, 'This field is required.');
    await send(flower);
    await waitForText(page, 'Your picture has been changed.');
    await expect.poll(() => page.locator('main img').count()).toBe(1);
  });
});
