import { PieceDoc } from '@officium/contract/authoring';
import sharp from 'sharp';
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
