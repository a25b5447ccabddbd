import { LOCALES } from '@officium/i18n/locales';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { newId } from '#server/db/client.ts';
import { createStatus, overallOf } from './checks.ts';

const test = await createTestApp();
const { ctx, app } = test;

const ask = async (url: string, headers: Record<string, string> = {}) => await app.inject({ url, headers });

async function putNotice(texts: object, { audience = 'everyone', endsAt = null as Date | null } = {}): Promise<void> {
  await ctx.db
    .insertInto('site_notices')
    .values({
      id: newId(),
      level: 'warning',
      audience,
      texts: JSON.stringify(texts),
      starts_at: new Date(Date.now() - 60_000),
      ends_at: endsAt,
    })
    .execute();
  await ctx.site.refresh();
}

/** The same context, with sources that fail. */
const broken = (sources: object) => createStatus({ ...ctx, ...sources }, 0);
const failing = <T extends object>(real: T, names: string[]): T =>
  new Proxy(real, {
    get: (target, name, receiver) =>
      names.includes(String(name))
        ? () => {
            throw new Error('away');
          }
        : Reflect.get(target, name, receiver),
  });
/** A pool that reaches no server. */
const awayDb = failing(ctx.db, ['selectFrom', 'getExecutor', 'executeQuery']);

it('says as a page and as JSON that everything works, to anybody and without versions', async () => {
  const page = await ask('/status');
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain('Everything works.');
  expect(page.headers['cache-control']).toBe('no-store');
  const { body } = await ask('/status.json');
  expect(JSON.parse(body)).toEqual({
    status: 'works',
    checkedAt: expect.any(String),
    parts: { site: 'works', files: 'works', mail: 'works', jobs: 'works', search: 'works' },
    notices: [],
  });
});

it.each(LOCALES)('is in %s, by the address or what the browser asks for', async (locale) => {
  const page = await ask(`/status?locale=${locale}`);
  expect(page.body).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`);
  expect((await ask('/status', { 'accept-language': locale })).headers['content-language']).toBe(locale);
});

it('shows the notices for everyone that hold, in the language of the page, and no markup of theirs', async () => {
  await putNotice({ en: 'Maintenance <b>tonight</b>', fr: 'Travaux ce soir' });
  await putNotice({ de: 'Nur hier' });
  await putNotice({ en: 'For members' }, { audience: 'signed-in' });
  await putNotice({ en: 'Over' }, { endsAt: new Date(Date.now() - 1_000) });
  const page = (await ask('/status?locale=fr')).body;
  expect(page).toContain('Travaux ce soir');
  expect(page).toContain('<p lang="de" dir="auto">Nur hier</p>');
  expect(page).not.toMatch(/For members|Over/);
  expect((await ask('/status')).body).toContain('Maintenance &lt;b&gt;tonight&lt;/b&gt;');
  const { notices } = JSON.parse((await ask('/status.json?locale=fr')).body) as { notices: { text: string }[] };
  expect(notices.map(({ text }) => text).toSorted()).toEqual(['Nur hier', 'Travaux ce soir']);
});

it('says what is known while the database is away', async () => {
  const status = await broken({ db: awayDb })();
  expect(status.parts).toEqual({ site: 'fails', files: 'works', mail: 'unknown', jobs: 'unknown', search: 'unknown' });
  expect(overallOf(status)).toBe('down');
});

it('says that pictures fail while the file store is away', async () => {
  const status = await broken({ files: failing(ctx.files, ['exists']) })();
  expect([status.parts.files, status.parts.site, overallOf(status)]).toEqual(['fails', 'works', 'trouble']);
});

it('says that mails are late, and how late', async () => {
  const mail = {
    kind: 'notification',
    recipient: 'a@example.gov',
    locale: 'en',
    subject: 's',
    body_text: 't',
    body_html: 'h',
  };
  const hours = async (count: number) => {
    const created_at = new Date(Date.now() - count * 3600_000);
    await ctx.db
      .insertInto('mails')
      .values({ id: newId(), ...mail, headers: '{}', created_at })
      .execute();
    return (await broken({})()).parts.mail;
  };
  expect([await hours(0), await hours(1), await hours(3)]).toEqual(['works', 'slow', 'fails']);
});

it('asks the services once for many readers', async () => {
  let asked = 0;
  const files = { ...ctx.files, exists: async () => Boolean((asked += 1)) };
  const status = createStatus({ ...ctx, files }, 60_000);
  await Promise.all(Array.from({ length: 20 }, () => status()));
  expect(asked).toBe(1);
});
