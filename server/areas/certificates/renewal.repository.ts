import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { EXPIRES, RENEWABLE_FROM } from './validity.sql.ts';

type Place = { userId: string; journeyKey: string };

/** A user's certificate in force, locked. The caller holds the lock on the enrolment, which comes first. */
export async function lockCurrent(
  db: Db,
  { userId, journeyKey }: Place,
): Promise<{ id: string; revoked_at: Date | null; isRenewable: boolean } | undefined> {
  return await db
    .selectFrom('certificates as t')
    .select(['t.id', 't.revoked_at', sql<boolean>`(${EXPIRES} and ${RENEWABLE_FROM} <= now())`.as('isRenewable')])
    .where('t.user_id', '=', userId)
    .where('t.journey_key', '=', journeyKey)
    .where('t.replaced_by', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks the enrolment of a user's certificate, which comes before the certificate, so that a renewal waits. */
export async function lockEnrolmentOf(
  db: Db,
  { userId, publicId }: { userId: string; publicId: string },
): Promise<void> {
  await db
    .selectFrom('journey_enrolments')
    .select('id')
    .where('user_id', '=', userId)
    .where('journey_key', '=', (eb) =>
      eb.selectFrom('certificates').select('journey_key').where('public_id', '=', publicId),
    )
    .forUpdate()
    .execute();
}
