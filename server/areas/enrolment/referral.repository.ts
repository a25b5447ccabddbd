import { sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { ReferralRow, ReferralType } from './enrolment.rows.ts';

export type ReferralKey = { referrerId: string | null; email: string; type: ReferralType; slug: string };
/** The referrer, and the communities and courses open to the viewer. */
export type ListedReferral = { referrerId: string; open: OpenSlugs };

const COLUMNS = sql`id, email, type, slug, created_at, updated_at`;

const isListed = ({ referrerId, open }: ListedReferral) =>
  sql`referrer_id = ${referrerId} and removed_at is null and case type
    when 'communities' then ${isOpenSlug('slug', open.communities)} when 'courses' then ${isOpenSlug('slug', open.courses)}
    else true end`;

/** Which pages of these slugs there are, whoever sees them, as the path of each. Events are not kept here. */
export async function findPages(db: Db, slugs: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ path: string }>`
    select p.path from (
      select 'courses/' || slug as path, slug, id as entry_id from courses
      union all select 'microcourses/' || slug, slug, id from microcourses
      union all select 'communities/' || slug, slug, entry_id from communities) p
    join entries x on x.id = p.entry_id and x.status = 'published'
    where p.slug = any(${slugs}::text[])`.execute(db);
  return new Set(rows.map(({ path }) => path));
}

/** The referrals of one person are made one after another, so that they can be counted. */
export async function lockReferrer(db: Db, referrerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`referrals ${referrerId}`}, 0))`.execute(db);
}

/** How many the person has made in the last day, removed ones too, and when the oldest of them falls out of it. */
export async function countOfDay(db: Db, referrerId: string): Promise<{ made: number; waitSeconds: number }> {
  const { rows } = await sql<{ made: number; waitSeconds: number }>`
    select count(*)::int as made,
      coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8 as "waitSeconds"
    from referrals where referrer_id = ${referrerId} and created_at > now() - interval '1 day'`.execute(db);
  return rows[0] ?? { made: 0, waitSeconds: 0 };
}

/** A referral made before, back in the list when it was removed. */
export async function restoreReferral(db: Db, key: ReferralKey): Promise<ReferralRow | undefined> {
  const { rows } = await sql<ReferralRow>`
    update referrals set removed_at = null, updated_at = case when removed_at is null then updated_at else now() end
    where referrer_id is not distinct from ${key.referrerId}::uuid and email = ${key.email} and type = ${key.type}
      and slug = ${key.slug}
    returning ${COLUMNS}`.execute(db);
  return rows[0];
}

/** Undefined when somebody was faster. */
export async function insertReferral(db: Db, key: ReferralKey): Promise<ReferralRow | undefined> {
  const { rows } = await sql<ReferralRow>`
    insert into referrals (id, referrer_id, email, type, slug)
    values (${newId()}, ${key.referrerId}, ${key.email}, ${key.type}, ${key.slug})
    on conflict do nothing
    returning ${COLUMNS}`.execute(db);
  return rows[0];
}

/** Newest first. */
export async function findReferrals(db: Db, listed: ListedReferral): Promise<ReferralRow[]> {
  const { rows } = await sql<ReferralRow>`
    select ${COLUMNS} from referrals where ${isListed(listed)} order by id desc`.execute(db);
  return rows;
}

/** Takes all but these out of the person's list. */
export async function removeOthers(db: Db, listed: ListedReferral, kept: string[]): Promise<void> {
  await sql`
    update referrals set removed_at = now(), updated_at = now()
    where ${isListed(listed)} and id <> all(${kept}::uuid[])`.execute(db);
}
