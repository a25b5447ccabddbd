import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const TRANSLATED = 'made by a machine from a text that is exported';

export const machineTranslations = definePersonalTable({
  table: 'machine_translations',
  part: 'writing',
  isAbout: ({ id }) => sql`t.thing_id in (
    select a.id from activities a where a.author_id = ${id} union all
    select r.id from reactions r where r.user_id = ${id} and r.kind = 'reply' union all
    select a.id from articles a where a.author_id = ${id})`,
  columns: {
    thing_id: leftOut(TRANSLATED),
    part: leftOut(TRANSLATED),
    source: leftOut(TRANSLATED),
    target: leftOut(TRANSLATED),
    engine: leftOut(TRANSLATED),
    content_hash: leftOut(TRANSLATED),
    translation: leftOut(TRANSLATED),
    made_at: leftOut(TRANSLATED),
  },
  order: 'made_at',
  erase: {
    rows: 'kept',
    why: 'They contain nothing about a person beyond the text itself, and are deleted when it is deleted or changed.',
  },
});
