import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DB, Users } from '#server/db/schema.ts';
import { SEES_COMMUNITY_CONTENT } from '#server/access/can.ts';
import { isActiveAccount } from '#server/access/account.sql.ts';
import { userMeets } from '../members/reader.sql.ts';
import type { Place } from './activity.repository.ts';

/** The condition that a user `u` with an active account can read posts, or replies, in a place. */
function canRead(eb: ExpressionBuilder<DB & { u: Users }, 'u'>, place: Place, isReply: boolean): Expression<SqlBool> {
  if ('communityId' in place)
    return sql<boolean>`${userMeets(sql`${place.communityId}`, isReply ? 'hasLevel' : SEES_COMMUNITY_CONTENT)}`;
  if (!('lessonKey' in place)) return sql<boolean>`true`;
  return eb.exists(
    eb
      .selectFrom('lessons as l')
      .innerJoin('journey_enrolments as e', 'e.journey_key', 'l.journey_key')
      .select('l.key')
      .where('l.key', '=', place.lessonKey)
      .whereRef('e.user_id', '=', 'u.id')
      .where(({ ref }) => sql<boolean>`enrolment_status(${ref('e.status')}, ${ref('e.expires_on')}) = 'enrolled'`),
  );
}

/** The users among `ids` with an active account who can read posts, or replies, in the place. */
export async function findMentionable(
  db: Db,
  { place, isReply, ids }: { place: Place; isReply: boolean; ids: string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '=', ({ fn, val }) => fn.any(val(ids)))
    .where(sql<boolean>`${sql.raw(isActiveAccount('u'))}`)
    .where(({ eb, or }) => or([eb('u.role', '=', 'administrator'), canRead(eb, place, isReply)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
