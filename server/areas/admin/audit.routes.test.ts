import { listAuditLog } from '@officium/contract/audit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { recordAction } from '#server/audit/audit.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator', name: 'Ada' });

type Query = Record<string, string | number>;
const ask = (query: Query = {}, as: As | undefined = admin.as) => test.call(listAuditLog, as, { query });
const read = async (query: Query) => listAuditLog.replies[200].strict().parse((await ask(query)).body);

/** Records entries of one action, oldest first, optionally all at one time. */
async function note(action: string, objects: string[], at?: string): Promise<void> {
  for (const object of objects)
    await sql`
      insert into audit_log (id, actor, action, object, detail, created_at)
      values (${newId()}, ${admin.id}, ${action}, ${object}, '{"n": 1}', coalesce(${at ?? null}::timestamptz, now()))`.execute(
      db,
    );
}

describe('listAuditLog', () => {
  it('lists actor, action and object, newest first', async () => {
    await recordAction(
      db,
      { kind: 'service', name: 'hr' },
      { action: 'test.say', object: 'one', requestId: 'request-1' },
    );
    await recordAction(
      db,
      { kind: 'user', id: admin.id, requestId: 'request-2' } as Parameters<typeof recordAction>[1], // only these fields are used
      { action: 'test.say', object: 'two', detail: { fields: ['notes'] } },
    );
    await recordAction(db, 'system', { action: 'test.say', object: 'three' });
    const { entries } = await read({ action: 'test.say' });
    expect(entries).toMatchObject([
      { actor: 'system', actorName: null, action: 'test.say', object: 'three', detail: {}, requestId: null },
      {
        actor: admin.id,
        actorName: 'Ada',
        action: 'test.say',
        object: 'two',
        detail: { fields: ['notes'] },
        requestId: 'request-2',
      },
      { actor: 'service:hr', actorName: null, action: 'test.say', object: 'one', detail: {}, requestId: 'request-1' },
    ]);
  });

  it('names what objects are now, and nothing that is gone', async () => {
    const [maya, gone] = [await makePerson(test, { name: 'Maya' }), await makePerson(test)];
    const course = await makeCourse(test, { title: { en: 'Letters', de: 'Briefe' } });
    const cohort = await makeCohort(test, { name: 'Intake' });
    await sql`update users set erased_at = now(), email = null where id = ${gone.id}`.execute(db);
    await note('test.named', ['nobody', gone.id, maya.id, cohort, course.id, course.journey.key]);
    const { entries } = await read({ action: 'test.named', locale: 'de' });
    expect(entries.map(({ objectKind, objectName }) => [objectKind, objectName]).toReversed()).toEqual([
      [null, null],
      [null, null],
      ['person', 'Maya'],
      ['cohort', 'Intake'],
      ['course', 'Briefe'],
      ['journey', expect.any(String)],
    ]);
  });

  it('filters by actor, action, object and time', async () => {
    await note('test.filter', ['a'], '2026-01-01T00:00:00Z');
    await note('test.filter', ['b'], '2026-01-02T00:00:00Z');
    await note('test.filter', ['c'], '2026-01-03T00:00:00Z');
    const found = async (query: Query) =>
      (await read({ action: 'test.filter', ...query })).entries.map(({ object }) => object);
    expect(await found({})).toEqual(['c', 'b', 'a']);
    expect(await found({ object: 'b' })).toEqual(['b']);
    expect(await found({ actor: admin.id })).toEqual(['c', 'b', 'a']);
    expect(await found({ actor: newId() })).toEqual([]);
    expect(await found({ from: '2026-01-02T00:00:00Z' })).toEqual(['c', 'b']);
    expect(await found({ from: '2026-01-02T01:00:00+01:00', to: '2026-01-03T00:00:00Z' })).toEqual(['b']);
    expect(await found({ object: "' or true --" })).toEqual([]);
  });

  it('pages through entries, also those with the same time', async () => {
    const objects = Array.from({ length: 7 }, (_, nth) => `page-${nth}`);
    await note('test.page', objects, '2026-02-01T00:00:00Z');
    const seen: string[] = [];
    let query: Query = { action: 'test.page', limit: 3 };
    for (let pages = 0; pages < 3; pages++) {
      const page = await read(query);
      seen.push(...page.entries.map(({ object }) => object));
      if (page.continuationToken === undefined) break;
      query = { ...query, continuationToken: page.continuationToken };
      await note('test.page', [`later-${pages}`]);
    }
    expect(seen).toEqual(objects.toReversed());
    expect((await read({ action: 'test.page', object: 'page-1', limit: 1 })).continuationToken).toBeUndefined();
  });

  it('records that it was read, once an hour', async () => {
    const other = await makePerson(test, { role: 'administrator' });
    for (let nth = 0; nth < 3; nth++) await ask({}, other.as);
    expect((await read({ actor: other.id })).entries).toMatchObject([
      { action: 'admin.read-audit-log', object: 'audit-log', requestId: expect.any(String) },
    ]);
  });

  it('shows an erased actor under the current name', async () => {
    const other = await makePerson(test, { role: 'administrator', name: 'Grace' });
    await ask({}, other.as);
    const [before] = (await read({ actor: other.id })).entries;
    expect([before?.actorName, before?.isActorDeleted]).toEqual(['Grace', undefined]);
    await test.send('DELETE', '/api/people/users/me', { as: other.as });
    const { entries } = await read({ actor: other.id });
    expect(entries.map(({ actorName, isActorDeleted }) => [actorName, isActorDeleted])).toEqual([
      ['Deleted user', true],
      ['Deleted user', true],
    ]);
  });

  it('refuses malformed queries', async () => {
    const token = Buffer.from(newId().replaceAll('-', ''), 'hex').toString('base64url');
    for (const query of [
      { continuationToken: 'x' },
      { continuationToken: token },
      { continuationToken: `${token}=` },
      { limit: 101 },
      { limit: 0 },
      { from: 'yesterday' },
      { actor: '' },
    ] as Query[])
      expect([query, (await ask(query)).status]).toEqual([query, 400]);
  });

  it('is allowed only to administrators', async () => {
    expect((await ask({}, {})).status).toBe(401);
    for (const as of [(await makePerson(test)).as, { serviceKey: SERVICE_KEY }])
      expect((await ask({}, as)).status).toBe(403);
  });
});
