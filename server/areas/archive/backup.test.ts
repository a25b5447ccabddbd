import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ctx } from '#server/ctx.ts';
import { erasureKey } from '#server/areas/auth/erasure.jobs.ts';
import { newId } from '#server/db/client.ts';
import { differences } from '#server/integrity/counters.ts';
import { createTestApp } from '#server/test/app.ts';
import { type Everything, fillEverything, readTexts } from '#server/test/archive/everything.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { backUp, restore } from './backup.service.ts';
import { ArchiveRefused } from './import-all.service.ts';

const source = await createTestApp();
const target = await createTestApp({ DEMO_CONTENT: 'off' });
const folder = await mkdtemp(join(tmpdir(), 'officium-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = join(folder, 'backup.zip');
let filled: Everything;
const told: string[] = [];

beforeAll(async () => {
  filled = await fillEverything(source.ctx);
  await source.ctx.db
    .insertInto('passkeys')
    .values({
      id: newId(),
      user_id: filled.learnerId,
      credential_id: 'credential',
      public_key: Buffer.from('public key'),
      counter: 3,
      transports: ['internal', 'hybrid'],
      name: 'Phone',
    })
    .execute();
  await backUp(source.ctx, file, (done, total, subject) => told.push(`${done <= total} ${subject}`));
  await restore(target.ctx, file, { replaces: false });
}, 120_000);

/** The secrets with which people sign in. */
async function secretsOf({ db }: Ctx): Promise<unknown[]> {
  const { rows } = await sql`
    select 'password' as kind, id::text as a, password_hash as b, second_factor::text as c from users
      where password_hash is not null or second_factor
    union all select 'former', id::text, password_hash, created_at::text from password_history
    union all select 'code', user_id::text, encode(secret, 'hex'), last_step::text from totp_factors
    union all select 'recovery', user_id::text, encode(code_hash, 'hex'), used_at::text from recovery_codes
    union all select 'passkey', id::text, encode(public_key, 'hex'), transports::text from passkeys
    order by 1, 2, 3`.execute(db);
  return rows;
}

describe('a backup', () => {
  it('restores passwords and second factors, so that people sign in as before', async () => {
    const secrets = await secretsOf(source.ctx);
    expect(new Set(secrets.map((row) => (row as { kind: string }).kind))).toEqual(
      new Set(['password', 'former', 'code', 'recovery', 'passkey']),
    );
    expect(await secretsOf(target.ctx)).toEqual(secrets);
  });

  it('tells how far it is', () => {
    expect(told).toContain('true people');
    expect(told.filter((line) => line.startsWith('false'))).toEqual([]);
  });

  it('is refused by an installation that is not empty, which stays as it is', async () => {
    const before = await secretsOf(target.ctx);
    await expect(restore(target.ctx, file, { replaces: false })).rejects.toThrow(ArchiveRefused);
    expect(await secretsOf(target.ctx)).toEqual(before);
  });

  it('replaces what an installation holds when told, except its audit log', { timeout: 60_000 }, async () => {
    const stranger = await makePerson(target, { name: 'Added later' });
    await sql`
      insert into audit_log (id, actor, action, object, detail) values
        (new_id(), 'system', 'auth.make-administrator', ${stranger.id}, '{}')`.execute(target.ctx.db);
    await restore(target.ctx, file, { replaces: true });
    const { rows } = await sql<{ strangers: number; entries: number }>`
      select (select count(*)::int from users where id = ${stranger.id}) as strangers,
        (select count(*)::int from audit_log where object = ${stranger.id}) as entries`.execute(target.ctx.db);
    expect(rows).toEqual([{ strangers: 0, entries: 1 }]);
    expect(await secretsOf(target.ctx)).toEqual(await secretsOf(source.ctx));
    expect(await differences(target.ctx.db)).toEqual([]);
    const second = join(folder, 'second.zip');
    await backUp(target.ctx, second);
    const [first, again] = [await readTexts(file), await readTexts(second)];
    for (const [path, text] of first)
      if (path !== 'manifest.json' && !path.includes('audit-log')) expect(again.get(path), path).toEqual(text);
  });

  it('repeats the erasures that were made after it', { timeout: 60_000 }, async () => {
    const { learnerId } = filled;
    await target.ctx.files.put(erasureKey(learnerId), Buffer.from('{}'), 'application/json');
    const { erasedAgain } = await restore(target.ctx, file, { replaces: true });
    expect(erasedAgain).toBe(1);
    const { rows } = await sql<{ email: string | null }>`
      select email from users where id = ${learnerId}`.execute(target.ctx.db);
    expect(rows).toEqual([{ email: null }]);
  });

  it('changes nothing when a byte of it is wrong', async () => {
    const before = await secretsOf(target.ctx);
    const bytes = await readFile(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 0xff; // within the file
    const damaged = join(folder, 'damaged.zip');
    await writeFile(damaged, bytes);
    await expect(restore(target.ctx, damaged, { replaces: true })).rejects.toThrow(ArchiveRefused);
    expect(await secretsOf(target.ctx)).toEqual(before);
  });
});
