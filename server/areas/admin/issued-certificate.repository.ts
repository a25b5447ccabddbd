// Raw SQL: conditions on lists of places, and the state of a certificate.
import type { ISSUED_STATES } from '@officium/contract/issued-certificates';
import type { RevocationReason } from '@officium/contract/learner';
import { type RawBuilder, sql } from 'kysely';
import type { HeldPlaces } from '#server/access/roles.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import type { Db } from '#server/db/client.ts';

export type IssuedState = (typeof ISSUED_STATES)[number];

export type IssuedRow = {
  number: string;
  name: string;
  person_id: string;
  organization: string | null;
  course_slug: string;
  course_title: string;
  journey_title: string;
  state: IssuedState;
  issued_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  revocation_reason: RevocationReason | null;
};

export type IssuedFilter = {
  course?: string;
  cohort?: string;
  organization?: string;
  state?: IssuedState;
  from?: string;
  to?: string;
};

/** `places` null: everywhere. `open` null: every course is open to the session. */
export type IssuedScope = { places: HeldPlaces | null; open: string[] | null };

const STATE = sql<IssuedState>`case
  when t.revoked_at is not null then 'revoked'
  when t.replaced_by is not null then 'renewed'
  when t.expires_at <= now() then 'expired'
  else 'valid' end`;

const startOf = (day: string) => sql`${day}::timestamp at time zone 'UTC'`;

/** A member of one of the cohorts holds certificate `t`, for what that cohort asks for. */
const isOfCohort = (ids: readonly string[]) => sql`exists (
  select from cohort_members m
  join cohorts k on k.id = m.cohort_id and k.deleted_at is null
  join cohort_products p on p.cohort_id = m.cohort_id and p.entry_id in (j.entry_id, j.course_id)
  where m.user_id = t.user_id and m.cohort_id = any(${ids}::uuid[]))`;

/** Certificates `t` with their journey `j`, course `c` and holder `u`. */
function matching({ places, open }: IssuedScope, filter: IssuedFilter): RawBuilder<unknown> {
  const { course, cohort, organization, state, from, to } = filter;
  const conditions = [sql`t.revocation_reason is distinct from 'name_corrected'`, isOpenSlug('c.slug', open)];
  if (places !== null)
    conditions.push(sql`(j.course_id = any(${places.courses}::text[]) or ${isOfCohort(places.cohorts)})`);
  // The keys of the journeys, so that an index of certificates applies.
  if (course !== undefined)
    conditions.push(sql`t.journey_key = any(array(
      select way.key from journeys way join courses named on named.id = way.course_id where named.slug = ${course}))`);
  if (cohort !== undefined) conditions.push(isOfCohort([cohort]));
  if (organization !== undefined) conditions.push(sql`lower(u.organization) = lower(${organization})`);
  if (state !== undefined) conditions.push(sql`${STATE} = ${state}`);
  if (from !== undefined) conditions.push(sql`t.issued_at >= ${startOf(from)}`);
  if (to !== undefined) conditions.push(sql`t.issued_at < ${startOf(to)} + interval '1 day'`);
  return sql`certificates t
    join journeys j on j.key = t.journey_key
    join courses c on c.id = j.course_id
    join users u on u.id = t.user_id
    where ${sql.join(conditions, sql` and `)}`;
}

/** Newest first. `after` is the number of the last certificate on the previous page. */
export async function findIssued(
  db: Db,
  scope: IssuedScope,
  { after, limit, ...filter }: IssuedFilter & { after: string | undefined; limit: number },
): Promise<IssuedRow[]> {
  const next =
    after === undefined
      ? sql`true`
      : sql`(t.issued_at, t.id) < (
    select seen.issued_at, seen.id from certificates seen where seen.public_id = ${after})`;
  const { rows } = await sql<IssuedRow>`
    select t.public_id as number, t.name_on_certificate as name, t.user_id as person_id, u.organization,
      c.slug as course_slug, t.course_title, t.journey_title, ${STATE} as state, t.issued_at, t.expires_at, t.revoked_at,
      t.revocation_reason
    from ${matching(scope, filter)} and ${next}
    order by t.issued_at desc, t.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Counts up to a number. */
export async function countIssued(
  db: Db,
  scope: IssuedScope,
  { atMost, ...filter }: IssuedFilter & { atMost: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${matching(scope, filter)} limit ${atMost}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function hasIssued(db: Db, number: string): Promise<boolean> {
  const row = await db.selectFrom('certificates').select('id').where('public_id', '=', number).executeTakeFirst();
  return row !== undefined;
}
