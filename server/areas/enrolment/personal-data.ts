import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const bulkEnrolments = definePersonalTable({
  table: 'bulk_enrolments',
  part: 'learning',
  isAbout: ({ email }) => sql`t.email = ${email}`,
  columns: {
    id: leftOut('of the row'),
    email: 'email',
    type: 'kind',
    slug: 'slug',
    journey_slug: 'journey',
    status: 'status',
    expires_on: 'expiresAt',
    metadata: 'detail',
    user_defaults: 'signUp',
    cohort_ids: leftOut('exported as cohort memberships'),
    granted_at: 'joinedAt',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const referrals = definePersonalTable({
  table: 'referrals',
  part: 'people',
  isAbout: ({ id, email }) => sql`(t.referrer_id = ${id} or t.email = ${email})`,
  columns: {
    id: leftOut('of the row'),
    referrer_id: leftOut('may be another person; `byMe` is true for this one'),
    email: leftOut('may be another person’s'),
    type: 'kind',
    slug: 'slug',
    removed_at: 'deletedAt',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  also: ({ id }) => ({ byMe: sql`t.referrer_id is not distinct from ${id}` }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});
