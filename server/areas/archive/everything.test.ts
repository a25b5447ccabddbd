import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyCertificate } from '@officium/contract/learner';
import { search } from '@officium/contract/search';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countBrokenLinks } from '#server/audit/audit-chain.ts';
import type { Ctx } from '#server/ctx.ts';
import { differences } from '#server/integrity/counters.ts';
import { createTestApp } from '#server/test/app.ts';
import { type Everything, fillEverything, namedKey, NAMED_FILES, readTexts } from '#server/test/archive/everything.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { recordsPath } from './archive-name.policy.ts';
import { ARCHIVE_RECORDS } from './archive-records.data.ts';
import { exportAllTo, ExportRefused } from './export-all.service.ts';
import { importAll } from './import-all.service.ts';

const source = await createTestApp();
const target = await createTestApp({ DEMO_CONTENT: 'off' });
const folder = await mkdtemp(join(tmpdir(), 'officium-archive-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = join(folder, 'first.zip');
let filled: Everything;
let texts: Map<string, string>;

beforeAll(async () => {
  filled = await fillEverything(source.ctx);
  await exportAllTo(source.ctx, file);
  texts = await readTexts(file);
  // Rows that refer to each other come in different statements.
  await importAll(target.ctx, file, { linesAtOnce: 7 });
}, 120_000);

const linesOf = (kind: string) => (texts.get(recordsPath(kind)) ?? '').split('\n').filter((line) => line !== '');

/** Rows of both installations. */
async function both<Row>(read: (ctx: Ctx) => Promise<Row>): Promise<[Row, Row]> {
  return [await read(source.ctx), await read(target.ctx)];
}

describe('an archive', () => {
  it('has records of every kind', () => {
    expect(ARCHIVE_RECORDS.filter(({ file: kind }) => linesOf(kind).length === 0).map(({ table }) => table)).toEqual(
      [],
    );
  });

  it('is the same after it was read into an empty installation and written again', async () => {
    const second = join(folder, 'second.zip');
    await exportAllTo(target.ctx, second);
    const again = await readTexts(second);
    expect([...again.keys()]).toEqual([...texts.keys()]);
    for (const [path, text] of texts)
      if (path !== 'manifest.json') expect(again.get(path)?.split('\n'), path).toEqual(text.split('\n'));
    const manifests = [texts, again].map((archive) => JSON.parse(archive.get('manifest.json') ?? ''));
    expect({ ...manifests[0], madeAt: '' }).toEqual({ ...manifests[1], madeAt: '' });
  });

  it('contains no password, second factor, session or other secret', async () => {
    const { rows } = await sql<{ secret: string }>`
      select password_hash as secret from users where password_hash is not null
      union all select password_hash from password_history
      union all select encode(token_hash, format) from sessions, unnest('{hex,base64}'::text[]) format
      union all select encode(secret, format) from totp_factors, unnest('{hex,base64}'::text[]) format
      union all select encode(code_hash, format) from recovery_codes, unnest('{hex,base64}'::text[]) format
      union all select encode(secret_hash, format) from challenges, unnest('{hex,base64}'::text[]) format
      union all select encode(token_hash, format) from event_feeds, unnest('{hex,base64}'::text[]) format
      union all select encode(token_key, format) from cohorts, unnest('{hex,base64}'::text[]) format
      union all select encode(secret, format) from notification_settings, unnest('{hex,base64}'::text[]) format`.execute(
      source.ctx.db,
    );
    expect(rows.length).toBeGreaterThan(20);
    const whole = [...texts.values()].join('\n');
    expect(rows.filter(({ secret }) => whole.includes(secret))).toEqual([]);
    expect(whole).not.toMatch(/\$argon2|password_?hash|token_?hash/i);
  });

  it('has the counts of an anonymous poll and not who voted', () => {
    const { anonymousPollId, namedPollId, learnerId } = filled;
    const naming = [...texts].flatMap(([path, text]) =>
      text
        .split('\n')
        .filter((line) => line.includes(anonymousPollId) && line.includes(learnerId))
        .map(() => path),
    );
    expect(naming).toEqual([]);
    const polls = linesOf('polls').map((line) => JSON.parse(line));
    const { voterCount, deadlineAt } = polls.find(({ id }) => id === anonymousPollId);
    expect(voterCount).toBeGreaterThan(0);
    expect(new Date(deadlineAt).getTime()).toBeLessThanOrEqual(Date.now());
    const votes = linesOf('poll-votes').map((line) => JSON.parse(line));
    expect(new Set(votes.map(({ pollId }) => pollId))).toEqual(new Set([namedPollId]));
  });

  it('is readable by its owner only, and does not overwrite a file', async () => {
    expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    await expect(exportAllTo(source.ctx, file)).rejects.toThrow(ExportRefused);
    await writeFile(join(folder, 'third.zip.part'), '');
    await expect(exportAllTo(source.ctx, join(folder, 'third.zip'))).rejects.toThrow(ExportRefused);
  });
});

describe('an installation after an archive was read', () => {
  it('has counters and ranks that match its rows', async () => {
    await sql`select fold_figures(), fold_tallies()`.execute(source.ctx.db);
    expect(await differences(target.ctx.db)).toEqual([]);
    const [before, after] = await both(async ({ db }) => {
      const posts = await sql<{ hot: number }>`
        select id, like_count, reply_count, pin_count, people_points, round(hot::numeric, 6)::text as hot
        from activities where deleted_at is null order by id`.execute(db);
      const places =
        await sql`select id, member_count, activity_count(id) as posts from communities order by id`.execute(db);
      const week = await sql`
        select * from week_figures
        where people + active + enrolments + lessons + journeys + certificates + posts + replies > 0
        order by scope, week`.execute(db);
      return [posts.rows, places.rows, week.rows];
    });
    expect(after).toEqual(before);
  });

  it('finds the same texts', async () => {
    const [before, after] = await both(async ({ db }) => {
      const { rows } = await sql`
        select kind, object_id, locale, title, body, community_id, words::text from search_documents
        order by kind, object_id, locale`.execute(db);
      return rows;
    });
    expect(after).toEqual(before);
    const answer = await target.call(search, undefined, { query: { q: 'plain language' } });
    expect(answer.body.groups.length).toBeGreaterThan(0);
  });

  it('verifies the certificates under the same numbers', async () => {
    for (const { publicId, revokedAt } of linesOf('certificates').map((line) => JSON.parse(line))) {
      const before = await source.call(verifyCertificate, undefined, { params: { publicId } });
      const after = await target.call(verifyCertificate, undefined, { params: { publicId } });
      expect([after.status, after.body]).toEqual([200, before.body]);
      expect(after.body.certificate.status).toBe(revokedAt === null ? 'valid' : 'revoked');
    }
  });

  it('shows uploaded pictures at its own address', async () => {
    const { rows } = await sql<{ picture: string }>`
      select image_full as picture from users where id = ${filled.learnerId}`.execute(target.ctx.db);
    const { pathname } = new URL(rows[0]?.picture ?? '');
    expect((await target.send('GET', pathname)).status).toBe(200);
  });

  it('has the files of drafts, versions and published texts, with their uploaders', async () => {
    const [before, after] = await both(
      async ({ db }) =>
        await db.selectFrom('stored_files').select(['key', 'bytes', 'user_id']).orderBy('key').execute(),
    );
    expect(after).toEqual(before);
    const { rows } = await sql<{ key: string }>`
      select key from content_assets union select key from stored_files`.execute(target.ctx.db);
    for (const { key } of rows) {
      const name = `content-assets/${key}`;
      const [one, other] = [await source.ctx.files.get(name), await target.ctx.files.get(name)];
      expect(Buffer.from(one).equals(other), key).toBe(true);
    }
    const keys = rows.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(Object.values(NAMED_FILES).map(namedKey)));
    expect(keys.filter((key) => /\.(webm|pdf|vtt)$/.test(key)).length).toBeGreaterThan(2);
    expect(before.filter(({ user_id }) => user_id !== null)).toHaveLength(3);
  });

  it('notifies nobody, and new certificates and entries of the audit log come after the old ones', async () => {
    const { db } = target.ctx;
    await target.drain();
    const { rows } = await sql`select from mails union all select from follow_news`.execute(db);
    expect(rows).toEqual([]);
    const next = await sql<{ next: number; last: number }>`
      with made as (insert into credential_statuses default values returning position)
      select (select position from made) as next, max(position) as last from credential_statuses`.execute(db);
    expect(next.rows[0]?.next).toBeGreaterThan(next.rows[0]?.last ?? Infinity);
    await sql`select chain_audit_log(10000)`.execute(db);
    expect(await countBrokenLinks(db)).toBe(0);
  });

  it('lets nobody vote again in an anonymous poll, and keeps its triggers', async () => {
    const { rows } = await sql<{ outcome: string }>`
      select outcome from cast_vote(gen_random_uuid(), (
        select id from poll_options where poll_id = ${filled.anonymousPollId} limit 1), ${filled.learnerId}, '{}')`.execute(
      target.ctx.db,
    );
    expect(rows).toEqual([{ outcome: 'closed' }]);
    const off = await sql`select tgname from pg_trigger where tgenabled <> 'O'`.execute(target.ctx.db);
    expect(off.rows).toEqual([]);
  });
});

describe('an administrator of the new installation', () => {
  it('becomes the same person of the archive and keeps the password', async () => {
    const fresh = await createTestApp({ DEMO_CONTENT: 'off' });
    const { rows } = await sql<{ id: string; email: string }>`
      select id, email from users where role = 'administrator' order by id limit 1`.execute(source.ctx.db);
    const { id = '', email = '' } = rows[0] ?? {};
    await makePerson(fresh, { role: 'administrator', email, password: 'a word to remember' });
    const other = await makePerson(fresh, { role: 'administrator' });
    const { rows: hashes } = await sql<{ hash: string }>`
      select password_hash as hash from users where email = ${email}`.execute(fresh.ctx.db);
    await importAll(fresh.ctx, file);
    const after = await sql`
      select id, email, password_hash as hash from users where email in (${email}, ${other.email}) order by email = ${email}`.execute(
      fresh.ctx.db,
    );
    expect(after.rows).toMatchObject([{ id: other.id }, { id, hash: hashes[0]?.hash }]);
  });
});
