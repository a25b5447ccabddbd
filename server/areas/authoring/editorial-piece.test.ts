import {
  comparePiece,
  createPiece,
  deletePiece,
  listPieces,
  previewPiece,
  publishPiece,
  readPiece,
  savePiece,
  uploadPiecePicture,
  withdrawPiece,
} from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { readEditorial } from '@officium/contract/editorials';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const { db } = test.ctx;

let admin: TestPerson;
let course: Awaited<ReturnType<typeof makeCourse>>;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
  course = await makeCourse(test);
});

type Params = { kind: string; key: string };
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
const create = async (kind: string, slug: string, title = 'A title') => {
  const made = await test.call(createPiece, admin.as, { body: { kind, slug, title } });
  expect(made.status).toBe(201);
  return { kind, key: made.body.key as string };
};
const save = async (params: Params, changes: object) => {
  const { doc, version } = await read(params);
  return await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, ...changes } } });
};
const publish = async (params: Params, body: object = {}) => {
  const { version } = await read(params);
  return await test.call(publishPiece, admin.as, { params, body: { version, ...body } });
};
const page = async (of: string, slug: string, as = admin.as) =>
  await test.call(readEditorial, as, { params: { kind: of, slug } });

describe('a question written on the screen', () => {
  it('is begun, published with its links, changed, compared and withdrawn', async () => {
    const question = await create('question', 'why', 'Why?');
    expect(await read(question)).toMatchObject({ state: 'draft', doc: { answer: {}, items: [] }, productId: 'why' });
    expect((await page('questions', 'why')).status).toBe(404);
    const path = `courses/${course.slug}`;
    expect((await save(question, { answer: { en: 'Because.', de: 'Darum.' }, items: [`/${path}/`] })).status).toBe(200);
    expect((await publish(question)).body).toMatchObject({ number: 1, published: 1 });
    expect(await read(question)).toMatchObject({
      state: 'published',
      address: '/questions/why',
      doc: { answer: { en: 'Because.', de: 'Darum.' }, items: [path] },
    });
    expect((await page('questions', 'why')).body).toMatchObject({
      locales: ['de', 'en'],
      items: [{ path: `/${path}` }],
    });
    expect((await page('questions', 'why', {})).status).toBe(404); // a new product is private

    await save(question, { answer: { en: 'Therefore.' } });
    const { body } = await test.call(comparePiece, admin.as, { params: question, query: { from: 'live' } });
    expect(body.changes.map(({ field, locale }: { field: string; locale: string }) => `${field} ${locale}`)).toEqual([
      'answer de',
      'answer en',
    ]);
    await publish(question);
    expect((await page('questions', 'why')).body.html).toContain('Therefore.');
    const { version } = await read(question);
    await test.call(withdrawPiece, admin.as, { params: question, body: { version } });
    expect((await page('questions', 'why')).status).toBe(404);
    expect((await publish(question)).status).toBe(200);
    expect((await page('questions', 'why')).status).toBe(200);
  });

  it('needs an answer, and links that lead somewhere', async () => {
    const question = await create('question', 'empty');
    const refused = await publish(question);
    expect([refused.status, refused.body.message]).toEqual([400, 'Text is required']);
    for (const items of [['courses/nothing'], ['questions/none'], ['courses/a/b'], ['carousels/why']]) {
      const { status, body } = await save(question, { items });
      expect([status, body.message]).toEqual([400, `Nothing has the address ${items[0]}`]);
      expect(body.issues[0].path).toBe('doc.items.0');
    }
    expect((await save(question, { items: ['javascript:alert(1)'] })).status).toBe(400);
    expect((await save(question, { summary: { en: 'None of its kind' } })).status).toBe(400);
  });

  it('holds back a language that breaks a rule, and publishes the others', async () => {
    const question = await create('question', 'held');
    await save(question, { answer: { en: 'Fine.', fr: '![](/nothing.png) ![photo.png](/photo.png)' } });
    const { findings } = await read(question);
    expect(findings.some(({ severity }: { severity: string }) => severity === 'must')).toBe(true);
    const refused = await publish(question);
    expect([refused.status, refused.body.message]).toMatchObject([409, expect.any(String)]);
    expect((await publish(question, { holdBack: true })).body).toMatchObject({ heldBack: ['fr'] });
    expect((await page('questions', 'held')).body.locales).toEqual(['en']);
    expect(await read(question)).toMatchObject({ state: 'changed' });
  });

  it('shares its address with a hub and with no other question', async () => {
    await create('hub', 'why');
    const second = await test.call(createPiece, admin.as, { body: { kind: 'question', slug: 'why', title: 'Again' } });
    expect(second.status).toBe(409);
  });

  it('can be deleted while nobody has seen it', async () => {
    const question = await create('question', 'gone');
    expect((await test.call(deletePiece, admin.as, { params: question, body: { version: 1 } })).status).toBe(204);
    expect((await sql`select 1 from entries where id = 'gone'`.execute(db)).rows).toEqual([]);
  });
});

describe('a solution article written on the screen', () => {
  it('has its parts, its cover and a preview of the page they make', async () => {
    const solution = await create('solution', 'letter');
    const { headers, payload } = await pictureForm();
    const uploaded = await test.send('POST', addressOf(uploadPiecePicture, { params: solution }), {
      as: admin.as,
      headers,
      body: payload,
    });
    const { path } = uploaded.body;
    await save(solution, {
      problem: { en: 'Calls.' },
      cost: { en: '- Nine days' },
      cover: path,
      coverAlt: { en: 'A letter' },
    });
    const { body } = await test.call(previewPiece, admin.as, { params: solution, query: { locale: 'en' } });
    expect(body.html).toMatch(/The problem[\s\S]*Calls[\s\S]*What it cost[\s\S]*<li>Nine days/);
    expect(body.cover.alt).toBe('A letter');
    expect((await publish(solution)).status).toBe(200);
    expect((await page('solutions', 'letter')).body).toMatchObject({ cover: { alt: 'A letter' } });
  });
});

describe('a hub written on the screen', () => {
  it('shows carousels and pictures, which are no products and have no page', async () => {
    const carousel = await create('carousel', 'row', 'A row');
    expect(await read(carousel)).toMatchObject({ productId: null, address: null });
    await save(carousel, { items: [`courses/${course.slug}`] });
    expect((await publish(carousel)).status).toBe(200);
    const hub = await create('hub', 'start', 'Start');
    await save(hub, { items: ['carousels/row', 'questions/why'] });
    expect((await publish(hub)).status).toBe(200);
    const { items } = (await page('hubs', 'start')).body;
    expect(items).toMatchObject([
      { kind: 'carousel', title: 'A row', items: [{ path: `/courses/${course.slug}` }] },
      { kind: 'question', path: '/questions/why' },
    ]);
    const { body } = await test.call(listPieces, admin.as, { query: { kind: 'carousel' } });
    expect(body.pieces).toMatchObject([{ key: 'row', state: 'published', languages: ['en'] }]);
  });

  it('keeps its links when what they lead to is renamed', async () => {
    const question = { kind: 'question', key: 'why' };
    await save(question, { slug: 'why-so' });
    await publish(question);
    expect((await read({ kind: 'hub', key: 'start' })).doc.items).toEqual(['carousels/row', 'questions/why-so']);
  });
});
