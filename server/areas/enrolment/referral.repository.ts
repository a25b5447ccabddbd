import { sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { ReferralRow, ReferralType } from './enrolment.rows.ts';

export type ReferralKey = { referrerId: string | null; email: string; type: ReferralType; slug: string };
/** Who recommends: the scopes they are in the audience of, what they hold, or everything. */
export type Referrer = { userId: string; scopes: Scope[]; seesAll: boolean };

const COLUMNS = sql`id, email, type, slug, created_at, updated_at`;

/** Which of the things there are as the referrer sees it, as `type/slug`. Events are not kept here. */
export async function findReferable(db: Db, { userId, scopes, seesAll }: Referrer, slugs: string[]): Promise<string[]> {
  const isOpen = sql`coalesce(p.can_view, 'private') = any(${scopes}::text[])`;
  const { rows } = await sql<{ name: string }>`
    select 'courses/' || c.slug as name from courses c join entries x on x.id = c.id left join products p on p.entry_id = c.id
    where c.slug = any(${slugs}::text[]) and x.status = 'published' and (${seesAll} or (c.type = 'Public' and ${isOpen})
      or is_granted(${userId}, c.id) or exists (
        select from journey_enrolments e join journeys j on j.key = e.journey_key
        where j.course_id = c.id and e.user_id = ${userId} and enrolment_status(e.status, e.expires_on) = 'enrolled'))
    union all
    select 'microcourses/' || m.slug from microcourses m join entries x on x.id = m.id left join products p on p.entry_id = m.id
    where m.slug = any(${slugs}::text[]) and x.status = 'published' and (${seesAll} or ${isOpen} or is_granted(${userId}, m.id))
    union all
    select 'communities/' || c.slug from communities c join entries x on x.id = c.entry_id
      left join products p on p.entry_id = c.entry_id
    where c.slug = any(${slugs}::text[]) and x.status = 'published' and (${seesAll}
      or (c.privacy <> 'closed-hidden' and ${isOpen})
      or exists (select from community_members o where o.community_id = c.id and o.user_id = ${userId}
        and o.status = 'active' and (o.expires_on <= now()) is not true))`.execute(db);
  return rows.map(({ name }) => name);
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
export async function findReferrals(db: Db, referrerId: string): Promise<ReferralRow[]> {
  const { rows } = await sql<ReferralRow>`
    select ${COLUMNS} from referrals where referrer_id = ${referrerId} and removed_at is null order by id desc`.execute(
    db,
  );
  return rows;
}

/** Takes all but these out of the person's list. */
export async function removeOthers(db: Db, referrerId: string, kept: string[]): Promise<void> {
  await sql`
    update referrals set removed_at = now(), updated_at = now()
    where referrer_id = ${referrerId} and removed_at is null and id <> all(${kept}::uuid[])`.execute(db);
}
