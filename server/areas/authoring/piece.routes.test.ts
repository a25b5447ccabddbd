import {
  comparePiece,
  createPiece,
  discardDraft,
  listPieces,
  listPieceVersions,
  previewPiece,
  publishPiece,
  readPiece,
  restorePieceVersion,
  savePiece,
  uploadPiecePicture,
  withdrawPiece,
} from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { completeLesson, readCourse, readLesson } from '@officium/contract/learner';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { takeLimit } from '#server/limits/limits.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { makeLessonPiece, pictureForm } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const { db } = test.ctx;

let admin: TestPerson;
let other: TestPerson;
let learner: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
  other = await makePerson(test, { role: 'administrator' });
  learner = await makePerson(test);
});

type Params = { kind: string; key: string };
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
const save = async (params: Params, doc: object, version: number, as = admin.as) =>
  await test.call(savePiece, as, { params, body: { version, doc } });
const publish = async (params: Params, body: object = {}) => {
  const { version } = await read(params);
  return await test.call(publishPiece, admin.as, { params, body: { version, ...body } });
};
const change = async (params: Params, changes: object) => {
  const { doc, version } = await read(params);
  const saved = await save(params, { ...doc, ...changes }, version);
  expect([saved.status, saved.body]).toMatchObject([200, { version: version + 1 }]);
};
const create = async (body: object) => {
  const made = await test.call(createPiece, admin.as, { body });
  expect([made.status, made.body]).toMatchObject([201, { version: 1 }]);
  return { kind: made.body.kind as string, key: made.body.key as string };
};

let counter = 0;
/** Creates a draft course with a journey of two lessons. */
async function begin() {
  const slug = `screen-${(counter += 1)}`;
  const course = await create({ kind: 'course', slug, title: 'A course' });
  const journey = await create({ kind: 'journey', slug: 'way', title: 'A way', parent: course.key });
  const lessons = [];
  for (const lesson of ['one', 'two']) {
    const made = await create({ kind: 'lesson', slug: lesson, title: `Lesson ${lesson}`, parent: journey.key });
    await change(made, { body: { en: `# ${lesson}\n\nText of ${lesson}.`, de: `Worte zu ${lesson}.` } });
    lessons.push(made);
  }
  return { slug, course, journey, one: lessons[0]!, two: lessons[1]! }; // two were created
}

/** Publishes what `begin` creates and opens it to everyone. */
async function live() {
  const made = await begin();
  await change(made.journey, { privacy: 'open-public' });
  await change(made.course, { type: 'Public' });
  expect((await publish(made.course, { withParts: true })).body).toMatchObject({ number: 1, published: 4 });
  await sql`update products set can_view = 'public', can_join = 'authenticated' where entry_id = ${made.course.key}`.execute(
    db,
  );
  return made;
}
const page = async (slug: string, lesson: string, locale = 'en') =>
  await test.call(readLesson, admin.as, {
    params: { courseSlug: slug, journeySlug: 'way', lessonSlug: lesson },
    query: { locale },
  });

describe('createPiece', () => {
  it('creates a draft that learners do not see, an entry and a private product', async () => {
    const { course, journey, slug, one, two } = await begin();
    expect(await read(course)).toMatchObject({
      state: 'draft',
      productId: course.key,
      origin: 'authoring',
      address: null,
    });
    expect((await read(journey)).doc.sections).toEqual([{ heading: { en: 'A way' }, lessons: [one.key, two.key] }]);
    expect((await read(one)).parents.map((parent: { slug: string }) => parent.slug)).toEqual([slug, 'way']);
    const product = await db.selectFrom('products').selectAll().where('entry_id', '=', course.key).executeTakeFirst();
    expect(product).toMatchObject({ can_view: 'private', can_join: 'private', content_type: 'course' });
    expect((await test.call(readCourse, admin.as, { params: { courseSlug: slug } })).status).toBe(404);
  });

  it('makes the address from the title in any script', async () => {
    const slugOf = async (title: string) => {
      const made = await test.call(createPiece, admin.as, { body: { kind: 'course', title } });
      return made.status === 201 ? (await read(made.body)).doc.slug : made.body.message;
    };
    expect(await slugOf('정보 보안 – 2')).toBe('jeongbo-boan-2');
    expect(await slugOf('Сајбер безбедност')).toBe('sajber-bezbednost');
    expect(await slugOf('Đường phố Łódź')).toBe('duong-pho-lodz');
    expect(await slugOf('!!!')).toBe('The title has no letters or digits, so an address is required');
  });

  it('gives one address to one of several pieces that are created or renamed at the same time', async () => {
    const { course, one, two } = await begin();
    const create8 = Array.from({ length: 8 }, async () => {
      const body = { kind: 'journey', title: 'Race', parent: course.key };
      return (await test.call(createPiece, admin.as, { body })).status;
    });
    expect((await Promise.all(create8)).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    const rename = [one, two].map(async (piece) => {
      const { doc, version } = await read(piece);
      return (await save(piece, { ...doc, slug: 'raced' }, version)).status;
    });
    expect((await Promise.all(rename)).toSorted()).toEqual([200, 409]);
    const kinds = ['course', 'microcourse', 'academy', 'hub'].map(async (kind) => {
      const body = { kind, title: 'Same', slug: `same-${counter}` };
      return (await test.call(createPiece, admin.as, { body })).status;
    });
    expect(await Promise.all(kinds)).toEqual([201, 201, 201, 201]);
  });

  it('refuses a taken slug, and a lesson without a journey', async () => {
    const { slug, journey } = await begin();
    const again = await test.call(createPiece, admin.as, { body: { kind: 'course', slug, title: 'Again' } });
    expect([again.status, again.body.code]).toEqual([409, 'content.address_taken']);
    const body = { kind: 'lesson', slug: 'one', title: 'One' };
    expect((await test.call(createPiece, admin.as, { body })).status).toBe(400);
    expect((await test.call(createPiece, admin.as, { body: { ...body, parent: journey.key } })).status).toBe(409);
    expect((await test.call(createPiece, admin.as, { body: { ...body, parent: 'nothing' } })).status).toBe(404);
  });
});

describe('publishPiece', () => {
  it('publishes a course with its new parts and indexes it for search', async () => {
    const { slug, one } = await live();
    expect((await page(slug, 'one')).body.lesson).toMatchObject({ title: 'Lesson one' });
    expect((await page(slug, 'two', 'de')).body.lesson.html).toContain('Worte zu two.');
    const found =
      await sql`select locale from search_documents where kind = 'lesson' and object_id = ${one.key}`.execute(db);
    expect(found.rows).toHaveLength(2);
    expect(await read(one)).toMatchObject({ state: 'published', hasDraft: false, address: `/courses/${slug}/way/one` });
  });

  it('names a translation without content and shows the next language instead', async () => {
    const { slug, one } = await live();
    await change(one, { body: { en: '# One\n\nText of one.', de: '# Eins\n\n<!-- folgt -->' } });
    expect((await read(one)).findings).toContainEqual({
      locale: 'de',
      rule: 'translation-empty',
      severity: 'should',
      line: 1,
      text: '',
    });
    expect((await publish(one)).status).toBe(200);
    const { lesson } = (await page(slug, 'one', 'de')).body;
    expect([lesson.shownLocale, lesson.locales]).toEqual(['en', ['en']]);
    expect(lesson.html).toContain('Text of one.');
  });

  it('names recordings, left-out elements and differences from the source language', async () => {
    const { one } = await begin();
    const video = '<video src="https://a.example/v.mp4"></video> (with captions)';
    await change(one, { body: { en: `Text\n\n${video}`, de: 'Worte\n\n<object data="x"></object>\n\n[a](b)' } });
    const { findings } = await read(one);
    expect(
      findings.map((each: { locale: string; rule: string; line: number }) => [each.locale, each.rule, each.line]),
    ).toEqual([
      ['de', 'left-out', 3],
      ['en', 'media-link', 3],
      ['de', 'translation-links', 1],
    ]);
  });

  it('shows changes to learners only after the draft is published', async () => {
    const { slug, one } = await live();
    await change(one, { body: { en: 'A better text.' } });
    expect((await page(slug, 'one')).body.lesson.html).toContain('Text of one.');
    expect(await read(one)).toMatchObject({ state: 'changed' });
    expect((await publish(one)).body).toMatchObject({ number: 2, published: 1 });
    expect((await page(slug, 'one')).body.lesson.html).toContain('A better text.');
    const nothing = await publish(one);
    expect([nothing.status, nothing.body.code]).toEqual([409, 'content.nothing_to_publish']);
  });

  it('changes the privacy of published pieces', async () => {
    const { course, journey } = await live();
    const stored = async () => {
      const { rows } = await sql<{ type: string; privacy: string }>`select c.type, j.privacy
        from courses c join journeys j on j.course_id = c.id where c.id = ${course.key}`.execute(db);
      return rows[0];
    };
    expect(await stored()).toEqual({ type: 'Public', privacy: 'open-public' });
    await change(course, { type: 'Private' });
    await change(journey, { privacy: 'closed-private' });
    for (const piece of [course, journey]) expect((await publish(piece)).status).toBe(200);
    expect(await stored()).toEqual({ type: 'Private', privacy: 'closed-private' });
  });

  it('refuses a slug that another piece has taken meanwhile', async () => {
    const { slug, course } = await begin();
    await makeCourse(test, { slug });
    const refused = await publish(course, { withParts: true });
    expect([refused.status, refused.body.code]).toEqual([409, 'content.address_taken']);
    expect(await read(course)).toMatchObject({ state: 'draft' });
  });

  it('holds back a language with images without alternative text', async () => {
    const { slug, one } = await live();
    await change(one, { body: { en: 'New.\n\n![](a.png)', de: 'Neu.' } });
    const refused = await publish(one);
    expect([refused.status, refused.body.code]).toEqual([409, 'content.not_accessible']);
    expect((await read(one)).findings).toMatchObject([
      { locale: 'en', rule: 'image-alt', line: 3, severity: 'must' },
      { locale: 'de', rule: 'translation-images', text: '1 → 0', severity: 'should' },
    ]);
    expect((await publish(one, { holdBack: true })).body).toMatchObject({ heldBack: ['en'] });
    expect((await page(slug, 'one')).body.lesson.html).toContain('Text of one.');
    expect((await page(slug, 'one', 'de')).body.lesson.html).toContain('Neu.');
    expect(await read(one)).toMatchObject({ state: 'changed', doc: { body: { en: 'New.\n\n![](a.png)' } } });
  });

  it('requires a published course and a text', async () => {
    const { journey, course, one } = await begin();
    expect((await publish(one)).body.code).toBe('content.parent_not_live');
    expect((await publish(journey)).body.code).toBe('content.parent_not_live');
    await change(one, { body: {} });
    expect((await publish(course, { withParts: true })).status).toBe(400);
    expect((await read(course)).state).toBe('draft');
  });

  it('keeps completions when a lesson is removed from its journey and restored', async () => {
    const { slug, journey, two } = await live();
    await enrol(test, learner, journey);
    const params = { courseSlug: slug, journeySlug: 'way', lessonSlug: 'two' };
    expect((await test.call(completeLesson, learner.as, { params })).status).toBeLessThan(300);
    const { doc } = await read(journey);
    const without = doc.sections.map((section: { lessons: string[] }) => ({
      ...section,
      lessons: section.lessons.filter((key) => key !== two.key),
    }));
    await change(journey, { sections: without });
    expect((await page(slug, 'two')).status).toBe(200);
    await publish(journey);
    expect((await page(slug, 'two')).status).toBe(404);
    const kept = await sql`select 1 from lesson_completions where lesson_key = ${two.key}`.execute(db);
    expect(kept.rows).toHaveLength(1);
    await change(journey, { sections: doc.sections });
    await publish(journey);
    expect((await page(slug, 'two')).status).toBe(200);
  });

  it('stores an intermediate import as a version', async () => {
    const course = await makeCourse(test);
    const lesson = { kind: 'lesson', key: course.journey.lessons[0]!.key };
    expect(await read(lesson)).toMatchObject({ version: 0, state: 'published', origin: 'folder', isReplaced: false });
    await change(lesson, { body: { en: 'Written here.' } });
    expect((await publish(lesson)).body).toMatchObject({ number: 2 });
    await sql`update bodies set source = 'Imported.', html = '<p>Imported.</p>' where lesson_key = ${lesson.key}`.execute(
      db,
    );
    expect(await read(lesson)).toMatchObject({ isReplaced: true, doc: { body: { en: 'Imported.' } } });
    const { body } = await test.call(listPieceVersions, admin.as, { params: lesson });
    expect(body.versions).toMatchObject([
      { number: 2, source: 'authoring' },
      { number: 1, source: 'import', by: null },
    ]);
    await change(lesson, { body: { en: 'Here again.' } });
    expect((await publish(lesson)).body).toMatchObject({ number: 4 });
    expect(await read(lesson)).toMatchObject({ isReplaced: false });
  });

  it('marks authors whose account was deleted', async () => {
    const gone = await makePerson(test, { role: 'administrator', name: 'Grace' });
    const course = await create({ kind: 'course', slug: 'left-behind', title: 'Left behind' });
    const { doc, version } = await read(course);
    await save(course, { ...doc, title: { en: 'Changed by Grace' } }, version, gone.as);
    const body = { version: version + 1 };
    expect((await test.call(publishPiece, gone.as, { params: course, body })).status).toBe(200);
    const named = async () => {
      const { versions } = (await test.call(listPieceVersions, admin.as, { params: course })).body;
      return [(await read(course)).changed, versions[0]];
    };
    for (const one of await named()) {
      expect(one).toMatchObject({ by: 'Grace' });
      expect(one).not.toHaveProperty('isPersonDeleted');
    }
    await test.send('DELETE', '/api/people/users/me', { as: gone.as });
    for (const one of await named()) expect(one).toMatchObject({ by: 'Deleted user', isPersonDeleted: true });
  });

  it('names the minutes of the lessons of a journey and whether they are mandatory, drafts first', async () => {
    const { journey, one, two } = await live();
    await change(one, { minutes: 12, mandatory: false });
    const partOf = async ({ key }: { key: string }) =>
      (await read(journey)).parts.find((part: any) => part.key === key); // tests know it
    expect(await partOf(one)).toMatchObject({ minutes: 12, mandatory: false, state: 'changed' });
    expect(await partOf(two)).toMatchObject({ minutes: 0, mandatory: true, state: 'published' });
    expect((await read(one)).parents.map((parent: object) => 'minutes' in parent)).toEqual([false, false]);
  });

  it('publishes the outline of sections and lessons', async () => {
    const { journey, one, two, slug } = await live();
    await change(journey, {
      sections: [
        { heading: { en: 'First' }, lessons: [two.key] },
        { heading: { en: 'Second', de: 'Zweite' }, lessons: [one.key] },
      ],
    });
    await publish(journey);
    const { body } = await test.call(readCourse, undefined, { params: { courseSlug: slug } });
    expect(JSON.stringify(body)).toMatch(/First.*"two".*Second.*"one"/);
    const wrong = await read(journey);
    const twice = [{ heading: {}, lessons: [one.key, one.key] }];
    expect((await save(journey, { ...wrong.doc, sections: twice }, wrong.version)).status).toBe(400);
  });
});

describe('savePiece', () => {
  it('refuses another version, and the second of two concurrent saves', async () => {
    const { course } = await begin();
    const { doc, version } = await read(course);
    const answers = await Promise.all(
      [admin, other].map(async ({ as, id }) => await save(course, { ...doc, title: { en: id } }, version, as)),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    const late = await save(course, doc, version);
    expect([late.status, late.body.code]).toEqual([409, 'content.changed_meanwhile']);
  });

  it('refuses a taken slug', async () => {
    const { course } = await begin();
    const { slug } = await begin();
    const { doc, version } = await read(course);
    const refused = await save(course, { ...doc, slug }, version);
    expect([refused.status, refused.body.code]).toEqual([409, 'content.address_taken']);
  });

  it('stores nothing for an unchanged document or another kind', async () => {
    const course = await makeCourse(test);
    const params = { kind: 'course', key: course.id };
    const { doc } = await read(params);
    expect((await save(params, doc, 0)).body).toEqual({ version: 0 });
    expect((await read(params)).hasDraft).toBe(false);
    expect((await save(params, { kind: 'community', slug: 'a', title: { en: 'A' } }, 0)).status).toBe(400);
    expect((await save(params, { ...doc, cover: 'nowhere.png' }, 0)).status).toBe(400);
  });

  it('returns which translations are older than their source', async () => {
    const { one } = await begin();
    const before = (await read(one)).textsChangedAt;
    await change(one, { body: { en: 'Only English.', de: 'Worte zu one.' } });
    const after = (await read(one)).textsChangedAt;
    expect([after.de === before.de, after.en > before.en]).toEqual([true, true]);
  });
});

describe('a piece that another administrator has changed', () => {
  it.each([
    ['published', publishPiece],
    ['withdrawn', withdrawPiece],
    ['discarded', discardDraft],
    ['restored', restorePieceVersion],
  ])('cannot be %s with the old version', async (_, operation) => {
    const { one } = await live();
    const { version } = await read(one);
    await change(one, { body: { en: 'Another text.' } });
    const params = operation === restorePieceVersion ? { ...one, number: 1 } : one;
    const refused = await test.call(operation, admin.as, { params, body: { version } });
    expect([refused.status, refused.body.code]).toEqual([409, 'content.changed_meanwhile']);
    expect(await read(one)).toMatchObject({ state: 'changed', version: version + 1 });
  });
});

describe('withdrawPiece', () => {
  it('hides a lesson, a journey and a course until they are published again', async () => {
    const { slug, course, one } = await live();
    for (const piece of [one, course]) {
      const { version } = await read(piece);
      expect((await test.call(withdrawPiece, admin.as, { params: piece, body: { version } })).status).toBe(200);
      expect((await page(slug, 'one')).status).toBe(404);
      expect((await read(piece)).state).toBe('withdrawn');
      const again = await test.call(withdrawPiece, admin.as, { params: piece, body: { version: version + 1 } });
      expect(again.body.code).toBe('content.not_live');
      expect((await publish(piece)).status).toBe(200);
      expect((await page(slug, 'one')).status).toBe(200);
    }
  });
});

describe('versions', () => {
  it('are compared line by line and restored as a draft', async () => {
    const { one, slug } = await live();
    await change(one, { body: { en: '# one\n\nChanged.' }, minutes: 9 });
    await publish(one);
    const { body } = await test.call(comparePiece, admin.as, { params: one, query: { from: '1', to: '2' } });
    expect(body.changes).toMatchObject(
      [
        {
          field: 'body',
          locale: 'en',
          lines: [{}, {}, { kind: 'removed', text: 'Text of one.' }, { kind: 'added', text: 'Changed.' }],
        },
        { field: 'body', locale: 'de' },
        { field: 'minutes', locale: null },
      ].toSorted((a, b) => (a.field === 'body' && b.field === 'body' ? (a.locale === 'de' ? -1 : 1) : 0)),
    );
    const { version } = await read(one);
    const restored = await test.call(restorePieceVersion, admin.as, {
      params: { ...one, number: '1' },
      body: { version },
    });
    expect(restored.status).toBe(200);
    expect(await read(one)).toMatchObject({ state: 'changed', doc: { body: { en: '# one\n\nText of one.' } } });
    expect((await page(slug, 'one')).body.lesson.html).toContain('Changed.');
  });

  it('keep the last fifty discarded drafts, and every published state', async () => {
    const { one } = await live();
    for (let nth = 1; nth <= 52; nth += 1) {
      await change(one, { minutes: nth });
      const { version } = await read(one);
      expect((await test.call(discardDraft, admin.as, { params: one, body: { version } })).status).toBe(200);
    }
    const { body } = await test.call(listPieceVersions, admin.as, { params: one, query: { limit: '100' } });
    expect(body.total).toBe(51);
    const numbers = body.versions.map(({ number }: { number: number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-2), numbers.at(-1)]).toEqual([51, 53, 4, 1]);
    const gone = await test.call(comparePiece, admin.as, { params: one, query: { from: '2' } });
    expect(gone.status).toBe(404);
  });

  it('are restored with the present address if another piece has taken the old one', async () => {
    const { one, two } = await live();
    await change(one, { slug: 'first' });
    await publish(one);
    await change(two, { slug: 'one' });
    const { version } = await read(one);
    const params = { ...one, number: '1' };
    expect((await test.call(restorePieceVersion, admin.as, { params, body: { version } })).status).toBe(200);
    expect((await read(one)).doc).toMatchObject({ slug: 'first', body: { en: '# one\n\nText of one.' } });
  });

  it('include a discarded draft', async () => {
    const { one } = await live();
    await change(one, { title: { en: 'Aside' } });
    const { version } = await read(one);
    expect((await test.call(discardDraft, admin.as, { params: one, body: { version } })).status).toBe(200);
    expect(await read(one)).toMatchObject({ state: 'published', isReplaced: false });
    const { body } = await test.call(listPieceVersions, admin.as, { params: one });
    expect(body).toMatchObject({ total: 2, versions: [{ number: 2, source: 'draft' }, { number: 1 }] });
    const nothing = await test.call(discardDraft, admin.as, { params: one, body: { version: version + 1 } });
    expect(nothing.body.code).toBe('content.not_live');
  });
});

describe('uploadPiecePicture', () => {
  it('stores a picture for use in texts, previewed and published', async () => {
    const { one, slug } = await live();
    const { headers, payload } = await pictureForm();
    const sent = await test.send('POST', addressOf(uploadPiecePicture, { params: one }), {
      as: admin.as,
      headers,
      body: payload,
    });
    expect(sent.status).toBe(201);
    const { path, url } = sent.body;
    expect((await test.app.inject({ url })).headers['content-type']).toBe('image/webp');
    await change(one, { body: { en: `![A square](/${path})\n\n<img src="/${path}" alt="">` } });
    const { body } = await test.call(previewPiece, admin.as, { params: one, query: { locale: 'en' } });
    expect(body.html).toContain(`<img src="${url}" alt="A square" width="60" height="40"`);
    await publish(one);
    expect((await page(slug, 'one')).body.lesson.html).toContain(`src="${url}" alt=""`);
    expect((await read(one)).pictures).toEqual([{ path, url }]);
    const bad = await test.send('POST', addressOf(uploadPiecePicture, { params: one }), { as: admin.as, body: {} });
    expect([bad.status, bad.body.code]).toEqual([400, 'assets.bad_image']);
  });

  it('takes three hundred pictures an hour from one account, one after another', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const author = await makePerson(limited, { role: 'administrator' });
    const { params } = await makeLessonPiece(limited);
    const { headers, payload } = await pictureForm();
    const upload = async () =>
      (
        await limited.send('POST', addressOf(uploadPiecePicture, { params }), {
          as: author.as,
          headers,
          body: payload,
        })
      ).status;
    expect(await upload()).toBe(201);
    expect(await Promise.all([upload(), upload()])).toEqual([201, 201]);
    await takeLimit(limited.ctx, `upload-picture:${author.id}`, { max: 1000, windowSeconds: 3600 }, 297);
    expect(await upload()).toBe(429);
  });
});

describe('listPieces', () => {
  it('filters by words, kind, state and language, and sorts', async () => {
    const { slug, course } = await begin();
    const list = async (query: object) => (await test.call(listPieces, admin.as, { query: { ...query } })).body;
    expect(await list({ q: slug })).toMatchObject({
      total: 1,
      pieces: [{ key: course.key, state: 'draft', languages: ['en'] }],
    });
    expect((await list({ kind: 'lesson', state: 'draft', language: 'de' })).total).toBeGreaterThanOrEqual(2);
    expect((await list({ kind: 'course', language: 'ja' })).total).toBe(0);
    const kinds = (await list({ sort: '-kind', limit: '100' })).pieces.map((piece: { kind: string }) => piece.kind);
    expect(kinds).toEqual(kinds.toSorted().toReversed());
    expect((await test.call(listPieces, learner.as)).status).toBe(403);
  });
});

describe.each(['academy', 'microcourse', 'community'])('a piece of kind %s', (kind) => {
  it('is created, published, withdrawn and published again', async () => {
    const piece = await create({ kind, slug: `own-${kind}`, title: 'Own' });
    if (kind === 'microcourse') await change(piece, { body: { en: 'Short.' } });
    expect((await publish(piece)).body).toMatchObject({ number: 1 });
    expect(await read(piece)).toMatchObject({ state: 'published', isReplaced: false });
    const { version } = await read(piece);
    expect((await test.call(withdrawPiece, admin.as, { params: piece, body: { version } })).status).toBe(200);
    expect((await publish(piece)).status).toBe(200);
  });
});
