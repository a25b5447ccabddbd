import { readReconciliation, startReconciliation } from '@officium/contract/operations';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { assetLink, en, links, openDeliveryTwin } from '#server/test/delivery-twin.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { pixel } from '#server/test/factories/content.ts';
import { openDelivery } from './delivery.service.ts';
import { enqueueFetch } from './fetch-entry.jobs.ts';
import { reconcile } from './reconcile.service.ts';

const twin = await openDeliveryTwin();
afterAll(async () => await twin.close());
const test = await createTestApp(twin.settings);
const { db } = test.ctx;
const delivery = openDelivery(test.ctx.config.contentPlatform!); // the settings name one
const administrator = await makePerson(test, { role: 'administrator' });

/** Runs a comparison and the jobs it enqueues. */
async function compare({ everything = false } = {}): Promise<void> {
  await reconcile(test.ctx, { delivery, enqueueFetch }, { everything });
  await test.drain();
}

const last = async () =>
  readReconciliation.replies[200].parse((await test.call(readReconciliation, administrator.as)).body).last;

const named = (slug: string, title: string) => ({ title: en(title), slug: en(slug) });
const lesson = (slug: string, title: string) => ({ ...named(slug, title), body: en('Words') });
/** Returns the titles of published courses, each with its lessons' titles. */
const shown = async () =>
  (
    await sql<{ course: string; lessons: string[] }>`
      select c.title->>'en' as course, coalesce(array_agg(l.title->>'en' order by l.position)
        filter (where l.key is not null and l.withdrawn_at is null), '{}') as lessons
      from courses c join entries e on e.id = c.id and e.status = 'published'
      left join journeys j on j.course_id = c.id left join lessons l on l.journey_key = j.key
      group by c.id order by c.title->>'en'`.execute(db)
  ).rows.map(({ course, lessons }) => [course, ...lessons].join(' '));

beforeEach(async () => {
  twin.faults.length = 0;
  twin.entries.clear();
  twin.assets.clear();
  await sql`truncate entries, fetched_entries cascade`.execute(db);
  await sql`update content_reconciliation set sync_token = null, started_at = null`.execute(db);
  twin.put({ id: 'c1', type: 'course', version: 1, fields: { ...named('one', 'One'), journeys: links('j1') } });
  twin.put({ id: 'j1', type: 'courseJourney', version: 1, fields: { ...named('way', 'Way'), sections: links('s1') } });
  twin.put({ id: 's1', type: 'section', version: 1, fields: { heading: en('Begin'), lessons: links('l1', 'l2') } });
  twin.put({ id: 'l1', type: 'lesson', version: 1, fields: lesson('first', 'First') });
  twin.put({ id: 'l2', type: 'lesson', version: 1, fields: lesson('second', 'Second') });
});

describe('reconciliation with the content platform', () => {
  itInProcess('publishes everything that events missed and fetches each course once', async () => {
    await compare();
    expect(await shown()).toEqual(['One First Second']);
    expect(await last()).toMatchObject({ published: 5, withdrawn: 0, error: null });
    expect(twin.asked.filter((path) => path.startsWith('locales'))).toHaveLength(1);
    await compare();
    expect(await last()).toMatchObject({ published: 0, withdrawn: 0, error: null });
  });

  itInProcess('applies changes and deletions since the last run', async () => {
    await compare();
    twin.put({ id: 'l1', type: 'lesson', version: 4, fields: lesson('first', 'Changed') });
    twin.remove('l2');
    await compare();
    expect(await last()).toMatchObject({ published: 1, withdrawn: 1 });
    expect(await shown()).toEqual(['One Changed']);
    twin.put({ id: 'l2', type: 'lesson', version: 7, fields: lesson('second', 'Back') });
    await compare();
    expect(await shown()).toEqual(['One Changed Back']);
  });

  itInProcess('finds withdrawn entries and failed fetches in a full comparison', async () => {
    await compare();
    for (const id of ['c2', 'c3'])
      twin.put({ id, type: 'course', version: 1, fields: { ...named(id, id), journeys: links('j1') } });
    await compare();
    twin.entries.delete('c3');
    twin.entries.set('c2', { ...twin.entries.get('c2')!, version: 6, fields: named('c2', 'Two') }); // set above
    await sql`update entries set version = 6 where id = 'c2'`.execute(db);
    await compare();
    expect(await last()).toMatchObject({ published: 0, withdrawn: 0 });
    await compare({ everything: true });
    expect(await last()).toMatchObject({ published: 1, withdrawn: 1 });
    expect((await shown()).map((line) => line.split(' ')[0])).toEqual(['One', 'Two']);
  });

  itInProcess('refetches entries that show a changed picture', async () => {
    const putPicture = (version: number, shade: number) =>
      twin.putAsset({ id: 'p1', version, mime: 'image/png', bytes: pixel(shade), description: { 'en-US': 'A desk' } });
    const cover = async () =>
      (await sql<{ cover: string }>`select cover from courses where id = 'c1'`.execute(db)).rows;
    putPicture(1, 1);
    const fields = { ...named('one', 'One'), journeys: links('j1'), cover: en(assetLink('p1')) };
    twin.put({ id: 'c1', type: 'course', version: 2, fields });
    await compare();
    expect(await cover()).toEqual([{ cover: 'c1/assets/p1-1.png' }]);
    putPicture(2, 2);
    await compare();
    expect(await cover()).toEqual([{ cover: 'c1/assets/p1-2.png' }]);
    expect(await last()).toMatchObject({ published: 0 });
  });

  itInProcess('compares everything when the sync token has expired', async () => {
    await compare();
    await sql`update content_reconciliation set sync_token = 'forgotten'`.execute(db);
    twin.put({ id: 'c1', type: 'course', version: 3, fields: { ...named('one', 'New'), journeys: links('j1') } });
    await compare();
    expect(await shown()).toEqual(['New First Second']);
  });

  itInProcess('withdraws nothing when most entries are missing, and stores the error', async () => {
    await compare();
    twin.entries.clear();
    await expect(compare({ everything: true })).rejects.toThrow('CONTENT_SPACE');
    expect(await last()).toMatchObject({ error: expect.stringContaining('5 of 5 entries') as string });
    expect(await shown()).toEqual(['One First Second']);
  });

  itInProcess('compares the same changes again after a truncated response', async () => {
    await compare();
    twin.put({ id: 'c1', type: 'course', version: 3, fields: { ...named('one', 'New'), journeys: links('j1') } });
    twin.faults.push('cut');
    await expect(compare()).rejects.toThrow();
    await compare();
    expect(await shown()).toEqual(['New First Second']);
  });
});

describe('startReconciliation', () => {
  it('starts a comparison and records it in the audit log', async () => {
    expect((await test.call(startReconciliation, administrator.as)).status).toBe(204);
    await test.drain();
    expect(await shown()).toEqual(['One First Second']);
    const { rows } = await sql`select action from audit_log where action = 'admin.reconcile-content'`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it('fails with operations.no_content_platform when none is configured', async () => {
    const without = await createTestApp();
    const admin = await makePerson(without, { role: 'administrator' });
    expect((await without.call(startReconciliation, admin.as)).body.code).toBe('operations.no_content_platform');
    expect((await without.call(readReconciliation, admin.as)).body).toEqual({ hasPlatform: false, last: null });
  });
});
