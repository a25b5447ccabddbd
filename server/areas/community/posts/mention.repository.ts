import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { SEES_COMMUNITY_CONTENT } from '#server/access/can.ts';
import { isActiveAccount } from '#server/access/account.sql.ts';
import { userMeets } from '../members/reader.sql.ts';
import type { Place } from './activity.repository.ts';

/** The condition that a user `u` with an active account can read posts, or replies, in a place. */
function canRead(place: Place, isReply: boolean): RawBuilder<unknown> {
  if ('communityId' in place)
    return userMeets(sql`${place.communityId}`, isReply ? 'hasLevel' : SEES_COMMUNITY_CONTENT);
  if ('lessonKey' in place)
    return sql`exists (
      select from lessons l join journey_enrolments e on e.journey_key = l.journey_key
      where l.key = ${place.lessonKey} and e.user_id = u.id
        and enrolment_status(e.status, e.expires_on) = 'enrolled')`;
  return sql`true`;
}

/** The users among `ids` with an active account who can read posts, or replies, in the place. */
export async function findMentionable(
  db: Db,
  { place, isReply, ids }: { place: Place; isReply: boolean; ids: string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where u.id = any(${ids}::uuid[]) and ${sql.raw(isActiveAccount('u'))}
      and (u.role = 'administrator' or ${canRead(place, isReply)})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
