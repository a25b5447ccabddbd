import { readSite, readSitePage } from '@officium/contract/site';
import {
  readSitePageTexts,
  readSiteSettings,
  updateSitePage,
  updateSiteSettings,
} from '@officium/contract/site-settings';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announce } from '#server/db/announce.ts';
import { queueMail, queueMails } from '#server/mail/outbox.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
let admin: TestPerson;
let person: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
  person = await makePerson(test);
});
beforeEach(async () => {
  await sql`truncate site_versions, site_page_versions`.execute(test.ctx.db);
  await test.ctx.site.refresh();
});

const settings = async () => (await test.call(readSiteSettings, admin.as)).body;
const change = async (identity: object, version?: number) =>
  await test.call(updateSiteSettings, admin.as, { body: { version: version ?? (await settings()).version, identity } });
const write = async (kind: string, locale: string, sent: { version: number; body: string }) =>
  await test.call(updateSitePage, admin.as, { params: { kind, locale }, body: sent });
const upload = async (theme: string, file: Buffer, as: As) => {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(file)], { type: 'image/png' }), 'logo.png');
  const request = new Request('http://x', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type')! }; // set by FormData
  const body = Buffer.from(await request.arrayBuffer());
  return await test.send('POST', `/api/admin/site/logo/${theme}`, { as, body, headers });
};
const square = async () =>
  await sharp({ create: { width: 40, height: 40, channels: 4, background: '#336699' } })
    .png()
    .toBuffer();
const readText = async (kind: string, locale: string) =>
  await test.call(readSitePage, {}, { params: { kind }, query: { locale } });

describe('the languages that the site offers', () => {
  it('are all, or a choice with the default language', async () => {
    expect(test.ctx.site.current().languages).toHaveLength(16);
    const { body } = await change({ languages: ['fr-CA', 'de'], defaultLanguage: 'pl' });
    expect(body.identity).toMatchObject({ languages: ['fr-CA', 'de'], defaultLanguage: 'pl' });
    expect(test.ctx.site.current().languages).toEqual(['de', 'fr-CA', 'pl']);
    expect((await change({ languages: [] })).status).toBe(400);
    expect((await change({ languages: ['xx'] })).status).toBe(400);
    expect((await change({ defaultLanguage: 'xx' })).status).toBe(400);
  });

  it('decide what readers get, unless an operation is asked for another', async () => {
    await change({ note: { en: 'Learn.', fr: 'Apprenez.', ja: '学ぶ' }, languages: ['fr-CA'] });
    const read = async (headers: Record<string, string>) => (await test.call(readSite, {}, { headers })).body.note;
    expect(await read({ 'accept-language': 'ja,fr;q=0.5' })).toBe('Apprenez.');
    expect(await read({ 'accept-language': 'ja' })).toBe('Learn.');
    expect(await read({ cookie: 'locale=ja' })).toBe('Learn.');
    await write('terms', 'ja', { version: 0, body: '規約' });
    expect((await readText('terms', 'ja')).body.locale).toBe('ja');
  });

  it('are those of the sitemap', async () => {
    await change({ languages: ['fr'] });
    const index = String((await test.send('GET', '/sitemap.xml')).body);
    const [, path] = /<loc>https?:\/\/[^/]+([^<]+)<\/loc>/.exec(index) ?? [];
    const { body: listed } = await test.send('GET', path ?? '');
    expect(new Set([...String(listed).matchAll(/hreflang="([^"]+)"/g)].map(([, one]) => one))).toEqual(
      new Set(['en', 'fr', 'x-default']),
    );
  });

  it('are those of mails, whatever language a person chose before', async () => {
    await change({ languages: ['fr'], defaultLanguage: 'de' });
    const mail = { kind: 'login_link', link: 'http://localhost/' } as const;
    for (const locale of ['ja', 'fr-CA'] as const)
      await queueMail(test.ctx, test.ctx.db, { ...mail, locale, to: `${locale}@example.gov` });
    await queueMails(test.ctx, test.ctx.db, [{ ...mail, locale: 'ko', to: 'ko@example.gov' }]);
    const { rows } = await sql`select locale from mails where recipient in
      ('ja@example.gov', 'fr-CA@example.gov', 'ko@example.gov') order by recipient`.execute(test.ctx.db);
    expect(rows).toEqual([{ locale: 'fr' }, { locale: 'de' }, { locale: 'de' }]);
  });
});

describe('updateSiteSettings', () => {
  it('changes what everybody reads, at once and in their language', async () => {
    expect((await test.call(readSite)).body).toEqual({ name: 'Officium', note: null, contact: null, pages: [] });
    const identity = {
      name: ' Министерство финансија ',
      note: { en: 'Learn.', fr: 'Apprenez.' },
      contact: 'Help@Example.gov',
    };
    expect(await change(identity)).toMatchObject({
      status: 200,
      body: { version: 1, shownName: 'Министерство финансија' },
    });
    const read = async (locale: string) =>
      (await test.call(readSite, {}, { headers: { 'accept-language': locale } })).body;
    expect(await read('fr-CA')).toMatchObject({
      name: 'Министерство финансија',
      note: 'Apprenez.',
      contact: 'help@example.gov',
    });
    expect(await read('ko')).toMatchObject({ note: 'Learn.' });
  });

  it('keeps every version, and makes none of the same values', async () => {
    await change({ name: 'First' });
    expect((await change({ name: 'First' })).body.version).toBe(1);
    await change({ name: 'Second' });
    const { history } = await settings();
    expect(history[0]).toMatchObject({ actorName: admin.name });
    expect(
      history.map((one: { version: number; identity: { name: string } }) => [one.version, one.identity.name]),
    ).toEqual([
      [2, 'Second'],
      [1, 'First'],
    ]);
  });

  it('refuses a change of another version, also when two arrive together', async () => {
    await change({ name: 'First' });
    expect((await change({ name: 'Late' }, 0)).body).toMatchObject({ statusCode: 409, code: 'site.changed_meanwhile' });
    expect((await change({ name: 'Early' }, 5)).status).toBe(409);
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map(async (name) => (await change({ name }, 1)).status));
    expect(answers.toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('shows a colour that can be read, and says so when it is not the chosen one', async () => {
    expect((await change({ accent: '#7A0019' })).body.colours).toMatchObject({ light: '#7a0019', isAdjusted: false });
    expect((await change({ accent: '#ffff00' })).body.colours).toMatchObject({ isAdjusted: true });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(61) }],
    ['name', { name: '\u200b' }],
    ['name', { name: 'One\nTwo' }],
    ['name', { name: 'Safe \u202e evil' }],
    ['links.0.url', { links: [{ label: { en: 'A' }, url: 'https://user:p@evil.example/' }] }],
    ['accent', { accent: 'red' }],
    ['contact', { contact: 'nobody' }],
    ['note', { note: { xx: 'What?' } }],
    ['note.en', { note: { en: 'x'.repeat(301) } }],
    ['links.0.url', { links: [{ label: { en: 'A' }, url: 'javascript:alert(1)' }] }],
    ['links.0.url', { links: [{ label: { en: 'A' }, url: '//evil.example' }] }],
    ['links.0.url', { links: [{ label: { en: 'A' }, url: 'https://a.example/"onclick' }] }],
    ['links.0.label', { links: [{ label: {}, url: '/about' }] }],
    ['links', { links: Array.from({ length: 9 }, () => ({ label: { en: 'A' }, url: '/a' })) }],
  ])('refuses a wrong %s: %j', async (path, identity) => {
    const { status, body } = await change(identity);
    expect(status).toBe(400);
    expect(JSON.stringify(body.issues)).toContain(path);
  });

  it('is for administrators', async () => {
    const body = { version: 0, identity: {} };
    expect((await test.call(updateSiteSettings, person.as, { body })).status).toBe(403);
    expect((await test.call(updateSiteSettings, {}, { body })).status).toBe(401);
    expect((await test.call(readSiteSettings, person.as)).status).toBe(403);
  });
});

describe('another process', () => {
  it('shows a change as soon as it is announced', async () => {
    await sql`insert into site_versions (version, identity) values (1, '{"name": "From elsewhere"}')`.execute(
      test.ctx.db,
    );
    expect((await test.call(readSite)).body.name).toBe('Officium');
    await announce(test.ctx.lastingDb, 'officium_site', '');
    await expect.poll(async () => (await test.call(readSite)).body.name).toBe('From elsewhere');
  });

  it('reads an identity that no longer fits as empty', async () => {
    await sql`insert into site_versions (version, identity) values (1, '{"accent": "red;}"}')`.execute(test.ctx.db);
    await test.ctx.site.refresh();
    expect((await test.call(readSite)).body.name).toBe('Officium');
    expect((await test.app.inject({ url: '/site.css' })).body).toBe('');
  });
});

describe('a name set by PROVIDER_NAME', () => {
  it('wins, and the settings say so', async () => {
    const set = await createTestApp({ PROVIDER_NAME: 'Ministry of Finance' });
    const { as } = await makePerson(set, { role: 'administrator' });
    const { body } = await set.call(updateSiteSettings, as, { body: { version: 0, identity: { name: 'Other' } } });
    expect(body).toMatchObject({ shownName: 'Ministry of Finance', nameIsFixed: true });
    expect((await set.call(readSite)).body.name).toBe('Ministry of Finance');
  });
});

describe('uploadSiteLogo', () => {
  it('shows the logo at once, and keeps it in earlier versions', async () => {
    const logo = await sharp({ create: { width: 2400, height: 600, channels: 4, background: '#7a001980' } })
      .png()
      .toBuffer();
    const sent = await upload('light', logo, admin.as);
    expect(sent).toMatchObject({ status: 201, body: { version: 1, identity: { logo: { width: 1200, height: 300 } } } });
    const { key } = sent.body.identity.logo;
    const file = await test.app.inject({ url: `/content-assets/${key}` });
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await sharp(file.rawPayload).metadata()).hasAlpha).toBe(true);
    expect((await upload('dark', logo, admin.as)).body.identity).toMatchObject({ logo: { key }, logoDark: { key } });
    const removed = await change({ logo: null, logoDark: null });
    expect(removed.body.history[1].identity.logo.key).toBe(key);
    expect((await change({ logo: { key, width: 1200, height: 300 } })).status).toBe(200);
  });

  it('draws an SVG, large enough for sharp screens, and serves it as a picture', async () => {
    const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">
      <style>.a{fill:#7a0019}</style><rect class="a" width="30" height="20"/></svg>`;
    const sent = await upload('light', Buffer.from(svg), admin.as);
    expect(sent).toMatchObject({ status: 201, body: { identity: { logo: { width: 1200, height: 400 } } } });
    const file = await test.app.inject({ url: `/content-assets/${sent.body.identity.logo.key}` });
    expect(file.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
    const { data } = await sharp(file.rawPayload).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 4)]).toEqual([
      expect.closeTo(0x7a, -1),
      expect.closeTo(0, -1),
      expect.closeTo(0x19, -1),
      255,
    ]);
    expect(data.at(-1)).toBe(0);
    await change({ logo: null });
  });

  it('refuses an SVG that could act', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    expect((await upload('light', Buffer.from(svg), admin.as)).body).toMatchObject({ code: 'assets.bad_image' });
  });

  it('refuses other files, unknown logos and other people', async () => {
    expect((await upload('light', Buffer.from('<svg/>'), admin.as)).body).toMatchObject({ code: 'assets.bad_image' });
    expect((await upload('sepia', Buffer.from('x'), admin.as)).status).toBe(400);
    expect((await upload('light', Buffer.from('x'), person.as)).status).toBe(403);
    const both = await Promise.all(
      ['light', 'dark'].map(async (theme) => (await upload(theme, await square(), admin.as)).status),
    );
    expect(both).toEqual([201, 201]);
    expect((await settings()).identity).toMatchObject({ logo: { width: 40 }, logoDark: { width: 40 } });
    expect((await upload('light', Buffer.from('x'), {})).status).toBe(401);
    const unknown = { key: `${'0'.repeat(64)}.webp`, width: 10, height: 10 };
    expect((await change({ logo: unknown })).status).toBe(400);
    expect((await change({ logo: { ...unknown, key: '../../secret.key' } })).status).toBe(400);
  });
});

describe('the pages of the site', () => {
  it('are shown in the reader’s language, and missing until they are written', async () => {
    expect((await readText('imprint', 'en')).status).toBe(404);
    const saved = await write('imprint', 'en', { version: 0, body: '# Imprint\n\nRoad *1*' });
    expect(saved).toMatchObject({ status: 200, body: { version: 1, locale: 'en' } });
    await write('imprint', 'fr', { version: 0, body: 'Rue 1' });
    expect((await readText('imprint', 'fr-CA')).body).toMatchObject({
      locale: 'fr',
      bodyHtml: expect.stringContaining('Rue 1'),
    });
    expect((await readText('imprint', 'ja')).body).toMatchObject({
      locale: 'en',
      bodyHtml: expect.stringContaining('<em>1</em>'),
    });
    expect((await test.call(readSite)).body.pages).toEqual(['imprint']);
  });

  it('are withdrawn by an empty text, and keep their versions', async () => {
    await write('terms', 'en', { version: 0, body: 'Be kind.' });
    expect((await write('terms', 'en', { version: 1, body: '   ' })).body).toMatchObject({ version: 2, body: '' });
    expect((await readText('terms', 'en')).status).toBe(404);
    const { rows } = await sql`select version from site_page_versions where kind = 'terms'`.execute(test.ctx.db);
    expect(rows).toHaveLength(2);
    expect((await write('terms', 'en', { version: 2, body: 'Be kinder.' })).body.version).toBe(3);
  });

  it('refuse a change of another version, also when two arrive together', async () => {
    expect((await write('terms', 'en', { version: 3, body: 'x' })).body).toMatchObject({
      code: 'site.changed_meanwhile',
    });
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(async (body) => (await write('terms', 'de', { version: 0, body })).status),
    );
    expect(answers.toSorted()).toEqual([200, 409, 409]);
  });

  it('are sanitised and bounded', async () => {
    await write('privacy', 'en', {
      version: 0,
      body: 'Hello <script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1))',
    });
    const { body } = await readText('privacy', 'en');
    expect(body.bodyHtml).not.toMatch(/<script|onerror|javascript:/);
    expect((await write('privacy', 'fr', { version: 0, body: 'é'.repeat(40_000) })).status).toBe(400);
    expect((await write('privacy', 'fr', { version: 0, body: '>'.repeat(200) + 'deep' })).status).toBe(400);
    expect((await write('cookies', 'en', { version: 0, body: 'x' })).status).toBe(400);
  });

  it('are listed to administrators with their versions', async () => {
    await write('accessibility', 'en', { version: 0, body: 'Tell us.' });
    const { body } = await test.call(readSitePageTexts, admin.as, { params: { kind: 'accessibility' } });
    expect(body.texts).toMatchObject([{ locale: 'en', version: 1, body: 'Tell us.' }]);
    const sent = { params: { kind: 'accessibility', locale: 'en' }, body: { version: 1, body: 'x' } };
    for (const [as, status] of [
      [person.as, 403],
      [{}, 401],
    ] as const) {
      expect((await test.call(readSitePageTexts, as, { params: { kind: 'accessibility' } })).status).toBe(status);
      expect((await test.call(updateSitePage, as, sent)).status).toBe(status);
      expect((await test.call(readSiteSettings, as)).status).toBe(status);
    }
  });
});
