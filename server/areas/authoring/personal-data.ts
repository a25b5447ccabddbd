// Raw SQL: the contacts in the JSON of a document are filtered, in a table that varies.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { definePersonalTable, leftOut, type Person } from '#server/personal-data/define.ts';

/** Removes a person from the contacts of courses in drafts and earlier versions. */
const removeContact =
  (table: 'content_pieces' | 'content_versions', column: 'draft' | 'doc') =>
  async (db: Db, { id, email }: Person): Promise<void> => {
    const contacts = sql`t.${sql.ref(column)}->'contacts'`;
    const isThem = sql`(c->>'profile' = ${id} or c->>'email' = ${email})`;
    await sql`
      update ${sql.table(table)} t set ${sql.ref(column)} = jsonb_set(t.${sql.ref(column)}, '{contacts}', coalesce(
        (select jsonb_agg(c order by nth) from jsonb_array_elements(${contacts}) with ordinality as l(c, nth)
          where ${isThem} is not true), '[]'))
      where t.kind = 'course' and exists (select from jsonb_array_elements(coalesce(${contacts}, '[]')) c where ${isThem})`.execute(
      db,
    );
  };

const OF_CONTENT = 'content of the platform';

export const contentPieces = definePersonalTable({
  table: 'content_pieces',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    kind: 'kind',
    key: 'id',
    entry_id: leftOut(OF_CONTENT),
    parent: leftOut(OF_CONTENT),
    academy_id: leftOut(OF_CONTENT),
    version: leftOut(OF_CONTENT),
    source_locale: leftOut(OF_CONTENT),
    draft: leftOut(OF_CONTENT),
    is_barred: leftOut(OF_CONTENT),
    texts: leftOut(OF_CONTENT),
    user_id: leftOut('the person'),
    changed_at: 'updatedAt',
  },
  order: 'changed_at',
  erase: {
    rows: 'nameless',
    why: 'Drafts belong to the platform and stay, changed by “Deleted user”.',
    run: removeContact('content_pieces', 'draft'),
  },
});

export const contentWriters = definePersonalTable({
  table: 'content_writers',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    kind: leftOut('deleted within an hour'),
    key: leftOut('deleted within an hour'),
    user_id: leftOut('the person'),
    since: leftOut('deleted within an hour'),
    seen_at: leftOut('deleted within an hour'),
  },
  order: 'seen_at',
  erase: { rows: 'deleted' },
});

export const contentVersions = definePersonalTable({
  table: 'content_versions',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    kind: 'kind',
    key: 'id',
    number: leftOut(OF_CONTENT),
    source: leftOut(OF_CONTENT),
    doc: leftOut(OF_CONTENT),
    user_id: leftOut('the person'),
    made_at: 'createdAt',
  },
  order: 'made_at',
  erase: {
    rows: 'nameless',
    why: 'Published versions stay, published by “Deleted user”.',
    run: removeContact('content_versions', 'doc'),
  },
});
