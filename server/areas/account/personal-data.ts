import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';
import { exportKey } from './export.policy.ts';
import { fileKey, PICTURE_EDGES } from './picture.policy.ts';

export const connections = definePersonalTable({
  table: 'connections',
  part: 'people',
  isAbout: ({ id }) => sql`(t.low_id = ${id} or t.high_id = ${id})`,
  columns: {
    id: leftOut('internal id of the row'),
    low_id: leftOut('one of the two users'),
    high_id: leftOut('one of the two users'),
    asker_id: leftOut('one of the two users; exported as `byMe`'),
    status: 'status',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  also: ({ id }) => ({
    personId: sql`case when t.low_id = ${id} then t.high_id else t.low_id end`,
    byMe: sql`t.asker_id = ${id}`,
  }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const profileImages = definePersonalTable({
  table: 'profile_images',
  part: 'account',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('exported as `file`'),
    user_id: leftOut('the person'),
    created_at: 'createdAt',
  },
  also: () => ({ file: sql`'pictures/' || t.id || '.webp'` }),
  order: 'created_at',
  erase: { rows: 'deleted' },
  async files(db, { id: userId }) {
    const pictures = await db.selectFrom('profile_images').select('id').where('user_id', '=', userId).execute();
    // Only the full picture is exported; the thumbnail adds nothing.
    return pictures.flatMap(({ id }) =>
      PICTURE_EDGES.map((edge, nth) => ({
        key: fileKey(id, edge),
        ...(nth === 0 ? { name: `pictures/${id}.webp` } : {}),
      })),
    );
  },
});

export const dataExports = definePersonalTable({
  table: 'data_exports',
  part: 'account',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    locale: 'language',
    status: leftOut('changes while the export is created'),
    bytes: leftOut('unknown until the export is finished'),
    created_at: 'createdAt',
    ready_at: leftOut('unknown until the export is finished'),
    expires_at: 'expiresAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
  async files(db, { id: userId }) {
    const exports = await db.selectFrom('data_exports').select('id').where('user_id', '=', userId).execute();
    return exports.map(({ id }) => ({ key: exportKey(id) })); // no name: an export does not contain other exports
  },
});
