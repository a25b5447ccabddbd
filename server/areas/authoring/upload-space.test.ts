import { uploadPieceFile, uploadPiecePicture } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { sql } from 'kysely';
import { describe, expect, vi } from 'vitest';
import { createTestApp, itInProcess, type TestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { fileForm } from '#server/test/factories/media.ts';
import { makeLessonPiece, pictureForm } from '#server/test/factories/pieces.ts';

const MIB = 1024 * 1024;

const setUp = async (settings: Record<string, string>) => {
  const test = await createTestApp(settings);
  const { params } = await makeLessonPiece(test);
  const author = await makePerson(test, { role: 'administrator' });
  return { test, params, author, upload: uploadTo(test, params) };
};
const uploadTo =
  (test: TestApp, params: { kind: string; key: string }) =>
  async (person: TestPerson, letter: string, bytes: number) => {
    const { headers, payload } = fileForm('notes.txt', Buffer.alloc(bytes, letter));
    const url = addressOf(uploadPieceFile, { params });
    const { status, body } = await test.send('POST', url, { as: person.as, headers, body: payload });
    return [status, body.code];
  };
const rowsOf = async ({ ctx }: TestApp) => {
  const { rows } = await sql<{ stored: number; incoming: number }>`
    select (select count(*)::int from stored_files) as stored, (select count(*)::int from incoming_files) as incoming`.execute(
    ctx.db,
  );
  return rows[0];
};

describe('the space of a person', () => {
  itInProcess('is refused beyond the quota before anything is stored, also to pictures', async () => {
    const { test, params, author, upload } = await setUp({ MEDIA_MB_A_PERSON: '1' });
    expect(await upload(author, 'a', 0.6 * MIB)).toEqual([201, undefined]);
    const storing = vi.spyOn(test.ctx.files, 'putStream');
    expect(await upload(author, 'b', 0.6 * MIB)).toEqual([413, 'content.quota_reached']);
    expect(storing).not.toHaveBeenCalled();
    storing.mockRestore();
    expect(await upload(author, 'c', 0.3 * MIB)).toEqual([201, undefined]);
    await sql`update stored_files set bytes = ${MIB}`.execute(test.ctx.db);
    const { headers, payload } = await pictureForm();
    const picture = await test.send('POST', addressOf(uploadPiecePicture, { params }), {
      as: author.as,
      headers,
      body: payload,
    });
    expect([picture.status, picture.body.code]).toEqual([413, 'content.quota_reached']);
    expect(await rowsOf(test)).toEqual({ stored: 2, incoming: 0 });
    expect(await upload(await makePerson(test, { role: 'administrator' }), 'd', 0.6 * MIB)).toEqual([201, undefined]);
  });

  itInProcess('takes one of two uploads at its edge', async () => {
    const { test, author, upload } = await setUp({ MEDIA_MB_A_PERSON: '1' });
    const both = await Promise.all([upload(author, 'a', 0.6 * MIB), upload(author, 'b', 0.6 * MIB)]);
    expect(both.toSorted()).toEqual([
      [201, undefined],
      [413, 'content.quota_reached'],
    ]);
    expect(await rowsOf(test)).toEqual({ stored: 1, incoming: 0 });
  });

  itInProcess('is free again after an upload that was refused', async () => {
    const { test, author, upload } = await setUp({ MEDIA_MB_A_PERSON: '1' });
    expect(await upload(author, '\0', 0.9 * MIB)).toEqual([400, 'content.file_type']);
    expect(await rowsOf(test)).toEqual({ stored: 0, incoming: 0 });
    expect(await upload(author, 'a', 0.9 * MIB)).toEqual([201, undefined]);
  });

  itInProcess('counts what arrives at another process, and its number', async () => {
    const { test, author, upload } = await setUp({ MEDIA_MB_A_PERSON: '1', RATE_LIMITS: 'on' });
    const arrive = async (bytes: number, seen: string) =>
      await sql`
        insert into incoming_files (id, bytes, user_id, seen_at)
        values (gen_random_uuid(), ${bytes}, ${author.id}, now() - ${seen}::interval)`.execute(test.ctx.db);
    await arrive(MIB, '4 minutes'); // its process was killed
    expect(await upload(author, 'a', 1000)).toEqual([201, undefined]);
    await arrive(MIB, '1 minute');
    expect(await upload(author, 'b', 1000)).toEqual([413, 'content.quota_reached']);
    await sql`delete from incoming_files`.execute(test.ctx.db);
    for (let n = 0; n < 4; n++) await arrive(10, '1 minute');
    expect(await upload(author, 'b', 1000)).toEqual([429, 'request.too_many']);
  });
});

describe('the space of the installation', () => {
  itInProcess('is refused to everybody when it is used up', async () => {
    const { test, params, author, upload } = await setUp({ MEDIA_MB_TOTAL: '1' });
    await sql`insert into stored_files (key, bytes) values ('imported', 600000)`.execute(test.ctx.db);
    expect(await upload(author, 'a', 0.6 * MIB)).toEqual([413, 'content.storage_full']);
    await sql`update stored_files set bytes = ${MIB}`.execute(test.ctx.db);
    const { headers, payload } = await pictureForm();
    const url = addressOf(uploadPiecePicture, { params });
    const picture = await test.send('POST', url, { as: author.as, headers, body: payload });
    expect([picture.status, picture.body.code]).toEqual([413, 'content.storage_full']);
  });
});
