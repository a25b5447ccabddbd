import { noteWriter } from '@officium/contract/authoring';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const ada = await makePerson(test, { name: 'Ada', role: 'administrator' });
const bo = await makePerson(test, { name: 'Bo', role: 'administrator' });
const reader = await makePerson(test);

it('lists who else has a piece open and since when, until they no longer say so', async () => {
  const [{ params }, other] = [await makeLessonPiece(test), await makeLessonPiece(test)];
  const note = async (as = ada.as, at = params) => (await test.call(noteWriter, as, { params: at })).body;
  const age = async (seconds: number) =>
    await sql`update content_writers set seen_at = seen_at - make_interval(secs => ${seconds}),
      since = since - make_interval(secs => ${seconds})`.execute(test.ctx.db);

  expect(await note()).toEqual({ version: 0, writers: [] });
  const first = await note(bo.as);
  expect(first.writers).toEqual([{ name: 'Ada', since: expect.any(String) }]);
  expect((await note()).writers).toMatchObject([{ name: 'Bo' }]);
  expect((await note(bo.as, other.params)).writers).toEqual([]);

  await age(40); // both still said so lately
  expect((await note()).writers).toMatchObject([{ name: 'Bo' }]);
  await age(40); // Bo has closed the tab, Ada has not
  expect((await note()).writers).toEqual([]);
  const again = await note(bo.as);
  expect(Date.now() - Date.parse(again.writers[0]!.since)).toBeGreaterThan(75_000); // Ada never left
  const [{ since } = { since: '' }] = (await note()).writers;
  expect(Date.now() - Date.parse(since)).toBeLessThan(30_000); // Bo has just come back
});

it('is for people who may change the piece', async () => {
  const { params } = await makeLessonPiece(test);
  expect((await test.call(noteWriter, reader.as, { params })).status).toBe(403);
  expect((await test.call(noteWriter, ada.as, { params: { ...params, key: ada.id } })).status).toBe(404);
});
