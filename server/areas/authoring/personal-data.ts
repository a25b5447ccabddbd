import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

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
    version: leftOut(OF_CONTENT),
    source_locale: leftOut(OF_CONTENT),
    draft: leftOut(OF_CONTENT),
    texts: leftOut(OF_CONTENT),
    user_id: leftOut('the person'),
    changed_at: 'updatedAt',
  },
  order: 'changed_at',
  erase: { rows: 'nameless', why: 'A draft of the platform stays, changed by “Deleted user”.' },
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
  erase: { rows: 'nameless', why: 'What was published stays, published by “Deleted user”.' },
});
