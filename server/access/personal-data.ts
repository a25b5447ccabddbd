import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const sessions = definePersonalTable({
  table: 'sessions',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    token_hash: leftOut('a secret'),
    id: leftOut('the id of a session, by which its owner may end it'),
    user_id: leftOut('the person'),
    limited: leftOut('follows from whether the address is proven'),
    permissions: 'permissions',
    user_agent: 'browser',
    address: 'networkAddress',
    created_at: 'createdAt',
    last_seen_at: 'lastSeenAt',
    authenticated_at: leftOut('when the session began or was last re-authenticated'),
    expires_at: 'expiresAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
