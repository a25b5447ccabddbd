import {
  createPiece,
  publishPiece,
  readPiece,
  removePieceFile,
  savePiece,
  uploadPieceFile,
  uploadPiecePicture,
} from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import type { ReplyOf } from '@officium/contract/endpoint';
import { listMedia } from '@officium/contract/media-library';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { fileForm, MEDIA_FILES } from '#server/test/factories/media.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';
import { assignRoles } from '#server/test/factories/roles.ts';
import { watchQueries } from '#server/test/queries.ts';

const test = await createTestApp();
const { db } = test.ctx;

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator', name: 'Ada Admin' });
});

type Params = { kind: string; key: string };
type Files = ReplyOf<typeof listMedia>['files'];
const ask = async (query: Record<string, string> = {}, as = admin.as) => await test.call(listMedia, as, { query });
const list = async (query: Record<string, string> = {}, as = admin.as): Promise<Files> => {
  const { status, body } = await ask({ limit: '100', ...query }, as);
  expect([status, body]).toEqual([200, body]);
  return body.files;
};
const namesOf = (files: Files) => files.map(({ name }) => name);

let counter = 0;
async function begin(kind: string, title: string, parent?: Params): Promise<Params> {
  const slug = `media-${(counter += 1)}`;
  const made = await test.call(createPiece, admin.as, { body: { kind, title, slug, parent: parent?.key } });
  expect(made.status).toBe(201);
  return { kind, key: made.body.key };
}
async function makeLesson(title: string) {
  const course = await begin('course', `Course of ${title}`);
  const lesson = await begin('lesson', title, await begin('journey', 'Way', course));
  const { doc, version } = (await test.call(readPiece, admin.as, { params: lesson })).body;
  const body = { version, doc: { ...doc, body: { en: 'Text.' } } };
  expect((await test.call(savePiece, admin.as, { params: lesson, body })).status).toBe(200);
  return { course, lesson };
}
async function upload(params: Params, name: string, content: Buffer | string, as = admin.as) {
  const { headers, payload } = fileForm(name, Buffer.from(content));
  const sent = await test.send('POST', addressOf(uploadPieceFile, { params }), { as, headers, body: payload });
  expect(sent.status).toBe(201);
  return sent.body as { path: string; version: number };
}
async function publish(course: Params) {
  const { version } = (await test.call(readPiece, admin.as, { params: course })).body;
  const whole = { params: course, body: { version, withParts: true } };
  expect((await test.call(publishPiece, admin.as, whole)).status).toBe(200);
}
async function leave(params: Params, name: string, content: string) {
  const { path, version } = await upload(params, name, content);
  expect((await test.call(removePieceFile, admin.as, { params, body: { version, path } })).status).toBe(200);
  return path;
}

describe('the media library', () => {
  it('shows a picture with its uploader, size and piece, in one statement', async () => {
    const { lesson } = await makeLesson('With a picture');
    const { headers, payload } = await pictureForm();
    const address = addressOf(uploadPiecePicture, { params: lesson });
    expect((await test.send('POST', address, { as: admin.as, headers, body: payload })).status).toBe(201);
    const [file] = await list({ kind: 'picture', q: 'with a picture' });
    expect(file).toMatchObject({
      kind: 'picture',
      extension: 'webp',
      url: `/content-assets/${file?.key}`,
      name: expect.stringMatching(/^images\/[0-9a-f]{20}\.webp$/),
      bytes: expect.any(Number),
      uploadedBy: 'Ada Admin',
      isUnused: false,
      isOfSite: false,
      pieces: [{ ...lesson, title: { en: 'With a picture' }, isEarlier: false }],
      pieceCount: 1,
    });
    await ask();
    const { texts } = await watchQueries(test.ctx.pool)(async () => await ask());
    expect([texts.filter((text) => text.includes('stored_files')).length, texts.length <= 2]).toEqual([1, true]);
  });

  it('finds files by kind, name, whole address and title of a piece', async () => {
    const { lesson } = await makeLesson('Found by 100% of_us');
    const { path } = await upload(lesson, 'found-here.pdf', `%PDF-1.7\n${counter}\n%%EOF\n`);
    await upload(lesson, 'spoken.mp3', MEDIA_FILES['talk.mp3']);
    const [file] = await list({ q: 'found-here' });
    expect([file?.name, file?.kind]).toEqual([path, 'file']);
    expect(file?.url).toMatch(/\?access=/);
    expect(namesOf(await list({ q: `https://example.gov${file?.url}` }))).toEqual([path]);
    expect(namesOf(await list({ q: '100% OF_US' }))).toHaveLength(2);
    expect(namesOf(await list({ q: '100% of_us', kind: 'file' }))).toEqual([path]);
    expect(await list({ q: '100%%of_us' })).toEqual([]);
    expect((await list({ kind: 'audio' })).every(({ kind }) => kind === 'audio')).toBe(true);
    expect((await ask({ kind: 'page' })).status).toBe(400);
  });

  it('says which files are unused, and which only an earlier version has', async () => {
    const { course, lesson } = await makeLesson('With versions');
    await leave(lesson, 'left.txt', 'left');
    const { path } = await upload(lesson, 'kept.txt', 'kept');
    const read = async () => (await test.call(readPiece, admin.as, { params: lesson })).body;
    const save = async (text: string) => {
      const { doc, version } = await read();
      const body = { version, doc: { ...doc, body: { en: text } } };
      expect((await test.call(savePiece, admin.as, { params: lesson, body })).status).toBe(200);
    };
    await save(`::file[Notes]{src=${path}}`);
    await publish(course);
    const kept = async () => (await list({ q: 'kept' }))[0]?.pieces.map(({ kind, isEarlier }) => [kind, isEarlier]);
    expect(await kept()).toEqual([['lesson', false]]);
    const unused = await list({ unused: 'true' });
    expect(unused.map(({ isUnused, pieces }) => [isUnused, pieces])).toContainEqual([true, []]);
    expect(unused.every(({ isUnused }) => isUnused)).toBe(true);

    await save('No file.');
    const now = await read();
    const removed = { params: lesson, body: { version: now.version, path } };
    const after = (await test.call(removePieceFile, admin.as, removed)).body;
    const again = await test.call(publishPiece, admin.as, { params: lesson, body: { version: after.version } });
    expect(again.status).toBe(200);
    const [earlier] = await list({ q: 'With versions', kind: 'file' });
    expect([earlier?.isUnused, earlier?.pieces.map(({ kind, isEarlier }) => [kind, isEarlier])]).toEqual([
      false,
      [['lesson', true]],
    ]);
  });

  it('shows a role only files of its own pieces, and of these only its own', async () => {
    const [own, foreign] = [await makeLesson('Own'), await makeLesson('Foreign')];
    await publish(own.course); // a role is about a published course
    await upload(own.lesson, 'both.txt', 'both');
    await upload(foreign.lesson, 'both.txt', 'both');
    await upload(foreign.lesson, 'foreign.txt', 'foreign');
    await leave(own.lesson, 'unused.txt', 'unused');
    const author = await makePerson(test);
    await assignRoles(test, author, [{ role: 'author', kind: 'course', id: own.course.key }]);
    const seen = await list({}, author.as);
    expect(seen.map(({ pieces, pieceCount }) => [pieces.map(({ key }) => key), pieceCount])).toEqual([
      [[own.lesson.key], 1],
    ]);
    expect(await list({ q: 'foreign' }, author.as)).toEqual([]);
    expect(await list({ unused: 'true' }, author.as)).toEqual([]);
    const translator = await makePerson(test);
    await assignRoles(test, translator, [{ role: 'translator', kind: 'course', id: own.course.key }]);
    expect((await ask({}, translator.as)).status).toBe(403);
  });

  it('never lists pictures of posts, discussions and articles', async () => {
    const key = `${'d'.repeat(64)}.webp`;
    await sql`insert into stored_files (key, bytes, is_private) values (${key}, 1, true)`.execute(db);
    expect((await list({ unused: 'true' })).map((file) => file.key)).not.toContain(key);
    expect(await list({ q: key })).toEqual([]);
  });

  it('continues where a page ended, newest first, and refuses other tokens', async () => {
    const { lesson } = await makeLesson('Paged');
    for (const text of ['a', 'b', 'c', 'd']) await upload(lesson, `${text}.txt`, `paged ${text}`);
    await sql`update stored_files set stored_at = now() where bytes = 7`.execute(db); // all at one time
    const whole = (await list()).map(({ key }) => key);
    const walked: string[] = [];
    let token: string | undefined;
    do {
      const { body } = await ask({ limit: '2', ...(token ? { continuationToken: token } : {}) });
      walked.push(...body.files.map(({ key }: { key: string }) => key));
      token = body.continuationToken;
    } while (token && walked.length < 200);
    expect(walked).toEqual(whole);
    const times = (await list()).map(({ storedAt }) => storedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const key = `${'a'.repeat(64)}.txt`;
    for (const wrong of [
      'x',
      json(['2026-02-31T00:00:00.000000Z', key]),
      json(['2026-99-01T00:00:00.000000Z', key]),
      json(['2026-03-02T09:00:00.000000Z', '\0']),
    ])
      expect([wrong, (await ask({ continuationToken: wrong })).status]).toEqual([wrong, 400]);
  });
});

it('reads the newest files by the index of their order', async () => {
  await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select f.* from stored_files f where not f.is_private
      order by f.stored_at desc, f.key desc limit 51`.execute(trx);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('stored_files_media');
    expect(plan).not.toContain('Sort');
  });
});
