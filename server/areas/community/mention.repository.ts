import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Place } from './activity.repository.ts';

/** Which of these are people in good standing, and in a community those who can read what is said there. */
export async function findMentionable(db: Db, place: Place, ids: string[]): Promise<Set<string>> {
  const canRead =
    'communityId' in place
      ? sql`(u.role = 'administrator' or exists (
          select from communities c join products p on p.entry_id = c.entry_id
          where c.id = ${place.communityId} and c.privacy in ('open-visible', 'open-hidden')
            and (p.can_view in ('public', 'authenticated') or p.can_view = 'verified' and u.role = 'public-servant'))
        or exists (
          select from community_members m
          where m.community_id = ${place.communityId} and m.user_id = u.id and m.status = 'active'))`
      : sql`true`;
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where u.id = any(${ids}::uuid[]) and u.erased_at is null and u.role <> 'inactive'
      and u.email_proven_at is not null and ${canRead}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
