import { createPiece, listPieces, publishPiece, readPiece, savePiece } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makeAcademy } from '#server/test/authority/things.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { assignRoles } from '#server/test/factories/roles.ts';

const test = await createTestApp();
const { db } = test.ctx;

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

type Params = { kind: string; key: string };
type Listed = ReplyOf<typeof listPieces>;
const nameOf = ({ kind, key }: Params) => `${kind}:${key}`;
const ask = async (query: Record<string, string>, as = admin.as) => await test.call(listPieces, as, { query });
const list = async (query: Record<string, string>, as = admin.as): Promise<Listed> => {
  const { status, body } = await ask(query, as);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const save = async (params: Params, changes: object) => {
  const { doc, version } = (await test.call(readPiece, admin.as, { params })).body;
  const saved = await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, ...changes } } });
  expect(saved.status).toBe(200);
};

let counter = 0;
async function begin(kind: string, title: string, parent?: Params): Promise<Params> {
  const slug = `tree-${(counter += 1)}`;
  const made = await test.call(createPiece, admin.as, { body: { kind, title, slug, parent: parent?.key } });
  expect(made.status).toBe(201);
  return { kind, key: made.body.key };
}
/** A course with a journey of lessons, published unless told otherwise. */
async function makeTree(titles: string[], isLive = true) {
  const course = await begin('course', 'Plain letters');
  const journey = await begin('journey', 'Foundations', course);
  const lessons: Params[] = [];
  for (const title of titles) {
    const lesson = await begin('lesson', title, journey);
    await save(lesson, { body: { en: 'Text.' } });
    lessons.push(lesson);
  }
  const { version } = (await test.call(readPiece, admin.as, { params: course })).body;
  const body = { version, withParts: true };
  if (isLive) expect((await test.call(publishPiece, admin.as, { params: course, body })).status).toBe(200);
  return { course, journey, lessons };
}
async function academyWith(course: Params): Promise<Params> {
  const key = `academy-${await makeAcademy(test)}`;
  await db.insertInto('academy_courses').values({ academy_id: key, course_id: course.key, position: 0 }).execute();
  return { kind: 'academy', key };
}

describe('the list of content', () => {
  it.each([true, false])('names the course and journey of every lesson (published: %s)', async (isLive) => {
    const { course, journey, lessons } = await makeTree(['One'], isLive);
    const { slug } = (await test.call(readPiece, admin.as, { params: lessons[0]! })).body.doc;
    const [lesson] = (await list({ q: slug })).pieces;
    expect(lesson).toMatchObject({
      course: { key: course.key, title: { en: 'Plain letters' } },
      journey: { key: journey.key, title: { en: 'Foundations' } },
      section: null,
      under: null,
      parts: 0,
    });
    const rows = (await list({ kind: 'journey', q: 'Foundations', limit: '100' })).pieces;
    expect(rows.find(({ key }) => key === journey.key)).toMatchObject({
      course: { key: course.key },
      journey: null,
      parts: 1,
    });
  });

  it('finds what has no text in a language, neither published nor in its draft', async () => {
    const { lessons } = await makeTree(['Without French', 'French to come']);
    const [without, begun] = lessons as [Params, Params];
    const missing = async () =>
      (await list({ kind: 'lesson', missing: 'fr', sort: '-updated', limit: '100' })).pieces.map(({ key }) => key);
    expect(await missing()).toEqual(expect.arrayContaining([without.key, begun.key]));
    await save(begun, { body: { en: 'Text.', fr: 'Texte.' } });
    expect(await missing()).toContain(without.key);
    expect(await missing()).not.toContain(begun.key);
    expect((await list({ kind: 'lesson', missing: 'en', q: 'French to come' })).total).toBe(0);
  });

  it.each(['title', '-title', 'updated', '-updated', 'kind', '-kind'])(
    'continues by %s where a page ended',
    async (sort) => {
      await makeTree(['Same', 'Same', 'Same']);
      const whole = (await list({ sort, limit: '100' })).pieces.map(nameOf);
      const walked: string[] = [];
      let token: string | undefined;
      do {
        const page = await list({ sort, limit: '3', ...(token ? { continuationToken: token } : {}) });
        walked.push(...page.pieces.map(nameOf));
        token = page.continuationToken;
      } while (token && walked.length < 100);
      expect(walked.slice(0, whole.length)).toEqual(whole);
    },
  );

  it('refuses tokens of another order and made-up ones', async () => {
    const { continuationToken = '' } = await list({ sort: 'title', limit: '1' });
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wrong: Record<string, string>[] = [
      { sort: '-title', continuationToken },
      { under: 'top', continuationToken },
      { under: 'course:a,course:b', continuationToken: json(['course:a,course:b', 'a', 'course', 'a']) },
      { sort: 'title', continuationToken: 'x' },
      { sort: 'title', continuationToken: json(['title', 'a', 'nothing', 'a']) },
      { sort: 'title', continuationToken: json(['title', '\0', 'course', 'a']) },
      { under: 'lesson:a' },
      { under: 'top,course:a' },
      { under: Array.from({ length: 31 }, (_, nth) => `course:${nth}`).join(',') },
    ];
    for (const query of wrong) expect([query, (await ask(query)).status]).toEqual([query, 400]);
  });
});

describe('the tree of content', () => {
  it('begins with academies, courses of no academy and what has no parts', async () => {
    const [inside, alone] = [await makeTree(['One']), await makeTree(['One'], false)];
    const academy = await academyWith(inside.course);
    const { pieces } = await list({ under: 'top', limit: '100' });
    const names = pieces.map(nameOf);
    expect(names).toEqual(expect.arrayContaining([nameOf(academy), nameOf(alone.course)]));
    expect(names).not.toContain(nameOf(inside.course));
    expect(pieces.filter(({ kind }) => kind === 'journey' || kind === 'lesson')).toEqual([]);
    expect(names.indexOf(nameOf(academy))).toBeLessThan(names.indexOf(nameOf(alone.course)));
    expect(pieces.find(({ key }) => key === academy.key)).toMatchObject({ under: 'top', parts: 1 });
  });

  it('opens several parents in one request, each with its parts in their order', async () => {
    const { course, journey, lessons } = await makeTree(['Zebra', 'Apple', 'Mango']);
    const academy = await academyWith(course);
    const under = [academy, course, journey].map(nameOf);
    const { pieces, total } = await list({ under: under.join() });
    expect([total, pieces.length]).toEqual([5, 5]);
    const of = (parent: Params) => pieces.filter((row) => row.under === nameOf(parent)).map(nameOf);
    expect([of(academy), of(course), of(journey)]).toEqual([[nameOf(course)], [nameOf(journey)], lessons.map(nameOf)]);
    expect(pieces.find(({ kind }) => kind === 'lesson')?.section).toEqual({
      number: 1,
      heading: { en: 'Foundations' },
    });
    const first = await list({ under: under.join(), limit: '1' });
    expect(first.pieces.map(nameOf).toSorted()).toEqual([course, journey, lessons[0]!].map(nameOf).toSorted());
    expect(first.continuationToken).toBeUndefined();
  });

  it('shows the outline of the draft, and lessons in no section last', async () => {
    const { journey, lessons } = await makeTree(['One', 'Two', 'Three']);
    const [one, two, three] = lessons.map(({ key }) => key) as [string, string, string];
    await save(journey, {
      sections: [
        { heading: { en: 'Begin' }, lessons: [three] },
        { heading: { en: 'Go on' }, lessons: [one] },
      ],
    });
    const read = async (query: object = {}) => await list({ under: nameOf(journey), ...query });
    expect((await read()).pieces.map(({ key, section }) => [key, section?.heading.en, section?.number])).toEqual([
      [three, 'Begin', 1],
      [one, 'Go on', 2],
      [two, undefined, undefined],
    ]);
    const page = await read({ limit: '2' });
    const rest = await read({ limit: '2', continuationToken: page.continuationToken });
    expect([page.total, rest.pieces.map(({ key }) => key), rest.continuationToken]).toEqual([3, [two], undefined]);
  });

  it('shows a role only what belongs to its course, from the course on', async () => {
    const [own, foreign] = [await makeTree(['One']), await makeTree(['One'])];
    await academyWith(own.course);
    const author = await makePerson(test);
    await assignRoles(test, author, [{ role: 'author', kind: 'course', id: own.course.key }]);
    expect((await list({ under: 'top' }, author.as)).pieces.map(nameOf)).toEqual([nameOf(own.course)]);
    expect((await list({ under: nameOf(foreign.journey) }, author.as)).pieces).toEqual([]);
    expect((await list({ under: nameOf(own.journey) }, author.as)).total).toBe(1);
  });
});
