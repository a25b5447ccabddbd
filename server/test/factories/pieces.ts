import { createHash } from 'node:crypto';
import { PieceDoc } from '@officium/contract/authoring';
import sharp from 'sharp';
import { beginUpload, receivePart } from '#server/areas/assets/resumable-upload.service.ts';
import type { TestApp } from '../app.ts';
import { makeCourse } from './courses.ts';

export type TestPiece = { params: { kind: 'course'; key: string }; doc: PieceDoc };

/** Creates a live course that was never edited on the screen. */
export async function makePiece(test: TestApp): Promise<TestPiece> {
  const { id, slug } = await makeCourse(test);
  const doc = PieceDoc.parse({ kind: 'course', slug, type: 'Public', title: { en: 'Course' } });
  return { params: { kind: 'course', key: id }, doc };
}

/** Creates a live lesson that was never edited on the screen. */
export async function makeLessonPiece(test: TestApp): Promise<{ params: { kind: 'lesson'; key: string } }> {
  const { journey } = await makeCourse(test);
  return { params: { kind: 'lesson', key: journey.lessons[0]!.key } }; // journeys have three lessons by default
}

type PieceRequest = { params: TestPiece['params']; body: { version: number } };

/** Creates a live course with a draft, and the version that requests must send. */
export async function pieceWithDraft(test: TestApp): Promise<PieceRequest> {
  const { params, doc } = await makePiece(test);
  const draft = JSON.stringify({ ...doc, title: { en: 'Another title' }, images: [], bodyFiles: {} });
  await test.ctx.db
    .insertInto('content_pieces')
    .values({ ...params, entry_id: params.key, draft })
    .execute();
  return { params, body: { version: 1 } };
}

/** Creates a live course with a file in its draft, and the request that removes it. */
export async function pieceWithFile(test: TestApp): Promise<PieceRequest & { body: { path: string } }> {
  const { params, doc } = await makePiece(test);
  const [path, hash] = ['media/notes.txt', 'a'.repeat(64)];
  const images = [{ path, key: `${hash}.txt`, mime: 'text/plain', bytes: 1, hash }];
  const draft = JSON.stringify({ ...doc, images, bodyFiles: {} });
  await test.ctx.db
    .insertInto('content_pieces')
    .values({ ...params, entry_id: params.key, draft })
    .execute();
  return { params, body: { version: 1, path } };
}

/** Creates a live course with an old version and its number, and the version that requests must send. */
export async function pieceWithVersion(test: TestApp): Promise<PieceRequest & { params: { number: string } }> {
  const { params, body } = await pieceWithDraft(test);
  const { doc } = await makePiece(test);
  const old = JSON.stringify({ ...doc, images: [], bodyFiles: {} });
  await test.ctx.db
    .insertInto('content_versions')
    .values({ ...params, number: 1, source: 'import', doc: old })
    .execute();
  return { params: { ...params, number: '1' }, body };
}

/** A picture as a multipart form with one file. */
export async function pictureForm(): Promise<{ headers: Record<string, string>; payload: Buffer }> {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const head =
    '--line\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=line' },
    payload: Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--line--\r\n')]),
  };
}

const TABLE = Buffer.from('person@example.gov');
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest();

/** Begins a person's upload of a table to a lesson, with the digests of its only part and of the whole. */
export async function makePieceUpload(
  test: TestApp,
  { id: userId }: { id: string },
  { isReceived = false } = {},
): Promise<{ params: { kind: 'lesson'; key: string; upload: string }; part: string; whole: string }> {
  const { params } = await makeLessonPiece(test);
  const owner = { userId, place: `${params.kind}/${params.key}` };
  const { id } = await beginUpload(test.ctx, owner, { name: 'people.csv', bytes: TABLE.length, modified: 0 });
  const digest = sha256(TABLE);
  const part = digest.toString('hex');
  if (isReceived) await receivePart(test.ctx, owner, { id, number: 1, sha256: part, sent: TABLE });
  return { params: { ...params, upload: id }, part, whole: sha256(digest).toString('hex') };
}
