import {
  comparePiece,
  createPiece,
  discardDraft,
  previewPiece,
  publishPiece,
  readPiece,
  savePiece,
  uploadPieceFile,
} from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { checkContent } from '@officium/contract/content-checks';
import { LOCALES } from '@officium/i18n/locales';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { fileForm, MEDIA_FILES } from '#server/test/factories/media.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

type Params = { kind: string; key: string };
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
async function write(params: Params, body: object) {
  const { doc, version } = await read(params);
  const saved = await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, body } } });
  expect(saved.status).toBe(200);
  return saved.body as { version: number };
}
const upload = async (params: Params, name: string, content: Buffer): Promise<string> => {
  const { headers, payload } = fileForm(name, content);
  const url = addressOf(uploadPieceFile, { params });
  return (await test.send('POST', url, { as: admin.as, headers, body: payload })).body.path;
};

/**
 * The number of long stretches of `work`, each above a hundredth of the whole, between which other requests are served.
 * It is the same on a busy machine, unlike the length of the longest.
 */
async function longStretches(work: () => Promise<unknown>, ofMs?: number): Promise<{ stretches: number; ms: number }> {
  const start = performance.now();
  const lengths: number[] = [];
  let [isDone, last] = [false, start];
  const watching = (async () => {
    while (!isDone) {
      await setImmediate();
      lengths.push(performance.now() - last);
      last = performance.now();
    }
  })();
  await work();
  isDone = true;
  await watching;
  const ms = performance.now() - start;
  return { stretches: lengths.filter((length) => length > (ofMs ?? ms) / 100).length, ms };
}

const everywhere = (text: string) => Object.fromEntries(LOCALES.map((locale) => [locale, text]));

describe('the largest texts', () => {
  it('are compared in a moment and answered in few lines', async () => {
    const { params } = await makeLessonPiece(test);
    const lines = (letter: string) => Array.from({ length: 9000 }, (_, nth) => `${letter}${nth}`).join('\n');
    const { version } = await write(params, everywhere(lines('a')));
    await test.call(discardDraft, admin.as, { params, body: { version } });
    await write(params, everywhere(lines('b')));
    const before = performance.now();
    const { body } = await test.call(comparePiece, admin.as, { params, query: { from: '1' } });
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(body.changes).toHaveLength(LOCALES.length);
    expect(body.changes[0]).toMatchObject({
      isCut: true,
      lines: expect.arrayContaining([{ kind: 'added', text: 'b0' }]),
    });
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
  });

  it('show the transcripts of a short text only up to a limit, and name those left out', async () => {
    const { params } = await makeLessonPiece(test);
    const audio = await upload(params, 'a.wav', MEDIA_FILES['talk.wav'] ?? Buffer.from(''));
    const words = `WEBVTT\n\n00:00.000 --> 00:01.000\n${'A long sentence. '.repeat(20_000)}\n`;
    const captions = await upload(params, 'a.vtt', Buffer.from(words));
    await write(params, { en: `::audio[A]{src=${audio} transcript=${captions}}\n\n`.repeat(600) });
    const { body } = await test.call(previewPiece, admin.as, { params, query: { locale: 'en' } });
    expect(body.html.match(/<audio/g)).toHaveLength(600);
    expect(body.html.match(/<details/g)).toHaveLength(3);
    expect(body.html.length).toBeLessThan(1_500_000);
    const left = (await read(params)).findings.filter(({ rule }: { rule: string }) => rule === 'transcript-left-out');
    expect([left.length, left[0]]).toMatchObject([597, { locale: 'en', severity: 'should', line: 7, text: captions }]);
  });

  // The turns of another process are not seen from here.
  itInProcess('are checked, read again and published while other requests are served', async () => {
    const { body: course } = await test.call(createPiece, admin.as, {
      body: { kind: 'microcourse', slug: 'large', title: 'Large' },
    });
    const params = { kind: 'microcourse', key: course.key };
    const texts = LOCALES.map((locale, nth) => [
      locale,
      `${nth}\n\n${'| a | b |\n|---|---|\n| c | d |\n\n'.repeat(900)}`,
    ]);
    await write(params, Object.fromEntries(texts));
    const first = await longStretches(async () => await read(params));
    expect(first.stretches).toBeGreaterThanOrEqual(LOCALES.length);
    let version = 0;
    const second = await longStretches(async () => ({ version } = await read(params)), first.ms);
    expect(second.stretches).toBeLessThan(LOCALES.length);
    let status = 0;
    const publication = await longStretches(async () => {
      const body = { version, holdBack: true };
      ({ status } = await test.call(publishPiece, admin.as, { params, body }));
    });
    expect(status).toBe(200);
    expect(publication.stretches).toBeGreaterThanOrEqual(LOCALES.length);
  });
});

describe('texts that are checked anew', () => {
  it('are limited by size for each account, those checked before are not', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const [one, other] = [
      await makePerson(limited, { role: 'administrator' }),
      await makePerson(limited, { role: 'administrator' }),
    ];
    const check = async ({ as }: TestPerson) =>
      (await limited.call(checkContent, as, { body: { locale: 'en', text: 'word '.repeat(12_000) } })).status;
    const statuses = [];
    for (let nth = 0; nth < 141; nth += 1) statuses.push(await check(one));
    expect([statuses[0], statuses[138], statuses[140]]).toEqual([200, 200, 429]);
    expect(await check(other)).toBe(200);
  });
});
