import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { definePersonalTable, leftOut, type Person } from '#server/personal-data/define.ts';

export const storedFiles = definePersonalTable({
  table: 'stored_files',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    key: 'file',
    bytes: leftOut('the size of the file'),
    user_id: leftOut('the person'),
    stored_at: 'createdAt',
    is_private: leftOut('whether the media library may list the file'),
  },
  order: 'stored_at',
  erase: {
    rows: 'nameless',
    why: 'Files of lessons belong to the platform and stay while a text, draft or version names them, without their uploader.',
    run: async (db: Db, { id }: Person) => {
      await db.updateTable('stored_files').set({ user_id: null }).where('user_id', '=', id).execute();
    },
  },
});

export const incomingFiles = definePersonalTable({
  table: 'incoming_files',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    bytes: leftOut('the announced size of an upload, for minutes'),
    user_id: leftOut('the person'),
    seen_at: leftOut('the time of the last part of an upload, for minutes'),
  },
  order: 'seen_at',
  erase: {
    rows: 'nameless',
    why: 'An upload that is arriving is stored without its uploader, or deleted within an hour.',
    run: async (db: Db, { id }: Person) => {
      await db.updateTable('incoming_files').set({ user_id: null }).where('user_id', '=', id).execute();
    },
  },
});

const FOR_A_DAY = 'of an upload that is arriving, for a day';

export const resumableUploads = definePersonalTable({
  table: 'resumable_uploads',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    place: leftOut(FOR_A_DAY),
    name: leftOut(FOR_A_DAY),
    bytes: leftOut(FOR_A_DAY),
    modified: leftOut(FOR_A_DAY),
    reserved: leftOut(FOR_A_DAY),
    token: leftOut('internal name of the file'),
    seen_at: leftOut(FOR_A_DAY),
    claimed_at: leftOut(FOR_A_DAY),
    file: leftOut('exported with the files that are stored'),
    finished_at: leftOut(FOR_A_DAY),
  },
  order: 'seen_at',
  erase: {
    rows: 'nameless',
    why: 'What has arrived is deleted with the row within an hour, without its name.',
    run: async (db: Db, { id }: Person) => {
      await db
        .updateTable('resumable_uploads')
        .set({ user_id: null, name: '', file: null })
        .where('user_id', '=', id)
        .execute();
    },
  },
});
