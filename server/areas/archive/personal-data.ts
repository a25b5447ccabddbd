import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';
import { wholeExportKey } from './whole-export.policy.ts';

export const wholeExports = definePersonalTable({
  table: 'whole_exports',
  part: 'log',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    status: leftOut('changes while the export is created'),
    bytes: leftOut('unknown until the export is finished'),
    created_at: 'createdAt',
    expires_at: 'expiresAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
  async files(db, { id: userId }) {
    const exports = await db.selectFrom('whole_exports').select('id').where('user_id', '=', userId).execute();
    return exports.map(({ id }) => ({ key: wholeExportKey(id) })); // no name: everybody's data is in no export of one person
  },
});
