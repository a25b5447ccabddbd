import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const communityOwnerClaims = definePersonalTable({
  table: 'community_owner_claims',
  part: 'communities',
  isAbout: ({ email }) => sql`t.email = ${email}`,
  columns: {
    community_id: leftOut('`community` names it'),
    email: 'email',
    position: leftOut('where the content folder names it'),
  },
  also: () => ({ community: sql`(select slug from communities where id = t.community_id)` }),
  order: 'community_id',
  erase: { rows: 'deleted' },
});

const OF_CONTENT = 'content of the platform';

export const contentImports = definePersonalTable({
  table: 'content_imports',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    user_id: leftOut('the person'),
    name: 'name',
    bytes: leftOut(OF_CONTENT),
    files: leftOut(OF_CONTENT),
    state: 'status',
    step: leftOut(OF_CONTENT),
    step_done: leftOut(OF_CONTENT),
    step_total: leftOut(OF_CONTENT),
    summary: leftOut(OF_CONTENT),
    items: leftOut(OF_CONTENT),
    faults: leftOut(OF_CONTENT),
    fault_count: leftOut(OF_CONTENT),
    warnings: leftOut(OF_CONTENT),
    warning_count: leftOut(OF_CONTENT),
    created_at: 'createdAt',
    begun_at: leftOut(OF_CONTENT),
    finished_at: leftOut(OF_CONTENT),
  },
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'Imported content stays; the import is shown as uploaded by “Deleted user” and its record is deleted after 90 days.',
  },
});
