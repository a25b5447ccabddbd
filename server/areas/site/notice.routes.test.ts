import { createSiteNotice, deleteSiteNotice, listSiteNotices, updateSiteNotice } from '@officium/contract/site-notices';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { NOTICE } from '#server/test/factories/notices.ts';

const test = await createTestApp();
let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});
beforeEach(async () => {
  await sql`truncate site_notices`.execute(test.ctx.db);
  await test.ctx.site.refresh();
});

const create = async (given: object = {}) =>
  await test.call(createSiteNotice, admin.as, { body: { ...NOTICE, ...given } });
const change = async (id: string, given: object) =>
  await test.call(updateSiteNotice, admin.as, { params: { id }, body: { ...NOTICE, version: 1, ...given } });
const remove = async (id: string) => await test.call(deleteSiteNotice, admin.as, { params: { id } });
const list = async () => (await test.call(listSiteNotices, admin.as)).body.notices;
const kept = () => test.ctx.site.current().notices.map(({ id }) => id);

describe('a notice of the site', () => {
  it('is shown from its start to its end, with the reply', async () => {
    const { status, body } = await create({ url: '/help', texts: { en: ' Closed ', fr: '' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ version: 1, state: 'shown', url: '/help', endsAt: null, texts: { en: 'Closed' } });
    const planned = (await create({ startsAt: '2100-01-01T00:00:00.000Z' })).body;
    const ended = (await create({ endsAt: '2026-01-02T00:00:00.000Z' })).body;
    expect(kept()).toEqual([planned.id, body.id]);
    expect((await list()).map((one: { id: string; state: string }) => [one.id, one.state])).toEqual([
      [planned.id, 'planned'],
      [ended.id, 'ended'],
      [body.id, 'shown'],
    ]);
  });

  it('is changed and deleted, with its history in the audit log', async () => {
    const { id } = (await create()).body;
    expect((await change(id, {})).body.version).toBe(1);
    const changed = await change(id, { level: 'warning', texts: { en: 'Later.' } });
    expect(changed.body).toMatchObject({ version: 2, level: 'warning' });
    expect(test.ctx.site.current().notices).toMatchObject([{ version: 2, texts: { en: 'Later.' } }]);
    expect((await remove(id)).status).toBe(204);
    expect(kept()).toEqual([]);
    const { rows } = await sql`select action, detail from audit_log where object = ${id} order by id`.execute(
      test.ctx.db,
    );
    expect(rows).toMatchObject([
      { action: 'admin.create-notice', detail: { texts: NOTICE.texts } },
      {
        action: 'admin.update-notice',
        detail: { kind: 'warning', before: { kind: 'information', texts: NOTICE.texts } },
      },
      { action: 'admin.delete-notice', detail: { before: { texts: { en: 'Later.' } } } },
    ]);
  });

  it('refuses a change of another version, also when two arrive together', async () => {
    const { id } = (await create()).body;
    expect((await change(id, { version: 2 })).body).toMatchObject({ code: 'site.changed_meanwhile' });
    const answers = await Promise.all(['a', 'b', 'c'].map(async (en) => (await change(id, { texts: { en } })).status));
    expect(answers.toSorted()).toEqual([200, 409, 409]);
  });

  it.each([
    { texts: {} },
    { texts: { en: ' ' } },
    { texts: { en: 'x'.repeat(301) } },
    { texts: { xx: 'What' } },
    { level: 'loud' },
    { audience: 'nobody' },
    { url: 'javascript:alert(1)' },
    { startsAt: 'tomorrow' },
    { endsAt: NOTICE.startsAt },
  ])('refuses %j', async (given) => {
    expect((await create(given)).status).toBe(400);
  });

  it('is unknown under another id', async () => {
    expect((await change(newId(), {})).status).toBe(404);
    expect((await remove(newId())).status).toBe(404);
  });

  it('belongs to administrators', async () => {
    const { id } = (await create()).body;
    const person = await makePerson(test);
    for (const [as, status] of [
      [person.as, 403],
      [{}, 401],
    ] as const) {
      expect((await test.call(listSiteNotices, as)).status).toBe(status);
      expect((await test.call(createSiteNotice, as, { body: NOTICE })).status).toBe(status);
      expect((await test.call(updateSiteNotice, as, { params: { id }, body: { ...NOTICE, version: 1 } })).status).toBe(
        status,
      );
      expect((await test.call(deleteSiteNotice, as, { params: { id } })).status).toBe(status);
    }
  });
});
