import { createActivityReaction } from '@officium/contract/community';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { chainAuditLog, countBrokenLinks } from '#server/audit/audit-chain.ts';
import { recordAction } from '#server/audit/audit.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { chainAuditJob } from './chain-audit.ts';
import { nightlyChecksJob, readChecks } from './nightly-checks.ts';

const test = await createTestApp();
const { ctx } = test;
const { db } = ctx;
const wrong = async () => {
  await nightlyChecksJob.run(ctx, {});
  return Object.fromEntries((await readChecks(db)).filter((check) => check.wrong > 0).map((c) => [c.name, c.wrong]));
};
/** Runs statements with the triggers disabled, as only a database administrator can. */
const behindTheTriggers = (text: string) =>
  db.transaction().execute(async (trx) => {
    await sql`alter table audit_log disable trigger user`.execute(trx);
    await sql.raw(text).execute(trx);
    await sql`alter table audit_log enable trigger user`.execute(trx);
  });

describe('counters', () => {
  it('that have drifted are found at night, and reported in the metrics', async () => {
    const [author, reader] = [await makePerson(test), await makePerson(test)];
    const community = await makeCommunity(db);
    for (const person of [author, reader]) await makeMember(db, community, person);
    const id = await makeActivity(db, community, author);
    const params = { slug: community.slug, id };
    await test.call(createActivityReaction, reader.as, { params, body: { kind: 'like' } });
    expect(await wrong()).toEqual({});
    expect((await test.send('GET', '/metrics')).body).toContain(
      'officium_check_wrong{check="activities.like_count, reply_count, pin_count"} 0',
    );

    await sql`update activities set like_count = 7 where id = ${id}`.execute(db);
    await sql`update communities set member_count = 0 where id = ${community.id}`.execute(db);
    expect(await wrong()).toEqual({
      'activities.like_count, reply_count, pin_count': 1,
      'communities.member_count': 1,
    });
    expect((await test.send('GET', '/metrics')).body).toContain(
      'officium_check_wrong{check="activities.like_count, reply_count, pin_count"} 1',
    );
    await sql`update activities set like_count = 1 where id = ${id}`.execute(db);
    await sql`update communities set member_count = 2 where id = ${community.id}`.execute(db);
    expect(await wrong()).toEqual({});
  });

  it('cannot become negative', async () => {
    const community = await makeCommunity(db);
    const id = await makeActivity(db, community, await makePerson(test));
    for (const column of ['like_count', 'reply_count', 'pin_count', 'people_points'])
      await expect(sql.raw(`update activities set ${column} = -1 where id = '${id}'`).execute(db)).rejects.toThrow(
        'check constraint',
      );
  });
});

describe('the chain of the audit log', () => {
  beforeEach(async () => {
    for (let n = 0; n < 4; n++) await recordAction(db, 'system', { action: 'test.note', object: String(n) });
    await chainAuditJob.run(ctx, {});
  });
  /** The last but one of the chained entries. */
  const ENTRY = `(select id from audit_log order by position desc offset 1 limit 1)`;

  it('continues where it ended, over concurrent additions and chainings by several processes', async () => {
    const before = await chainAuditLog(db);
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await recordAction(db, 'system', { action: 'test.note', object: `at once ${n}`, detail: { n } });
        await chainAuditLog(db, 3);
      }),
    );
    const end = await chainAuditLog(db);
    expect(end.position).toBe(before.position + 20);
    expect(end.hash).not.toBe(before.hash);
    expect(await chainAuditLog(db)).toEqual(end);
    expect(await countBrokenLinks(db)).toBe(0);
  });

  it.each([
    ['a field of an entry was changed', `update audit_log set object = 'somebody else' where id = ${ENTRY}`],
    [
      'the time of an entry was changed',
      `update audit_log set created_at = now() - interval '1 day' where id = ${ENTRY}`,
    ],
    ['an entry was deleted', `delete from audit_log where id = ${ENTRY}`],
    ['an entry was hashed again', `update audit_log l set actor = 'x', hash = audit_hash('', l) where id = ${ENTRY}`],
  ])('breaks when %s', async (_, text) => {
    const { rows } = await sql`select * from audit_log where id = ${sql.raw(ENTRY)}`.execute(db);
    await behindTheTriggers(text);
    expect((await wrong())['audit_log']).toBeGreaterThan(0);
    const kept = JSON.stringify(rows);
    const id = (rows[0] as { id: string }).id; // it was just read
    await behindTheTriggers(`delete from audit_log where id = '${id}'`);
    await behindTheTriggers(
      `insert into audit_log select * from jsonb_populate_recordset(null::audit_log, '${kept.replaceAll("'", "''")}')`,
    );
    await behindTheTriggers(
      `update audit_log set hash = '\\x${(rows[0] as { hash: Buffer }).hash.toString('hex')}' where id = '${id}'`,
    );
  });

  it.each([
    'update audit_log set position = position + 1',
    `update audit_log set hash = ''`,
    'update audit_log set position = null, hash = null',
  ])('cannot be rewritten: %s', async (text) => {
    await expect(sql.raw(text).execute(db)).rejects.toThrow('append-only');
  });
});
