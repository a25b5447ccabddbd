import { sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';

/** Serialises counting and queueing mails to an address. The transaction mails no other address. */
export async function lockMailsTo(db: Db, email: string): Promise<void> {
  await lockName(db, `mails ${email}`);
}

/** Number of mails of a kind to an address in the last seconds. */
export async function countMails(
  db: Db,
  { email, kind, seconds }: { email: string; kind: string; seconds: number },
): Promise<number> {
  const { mails } = await db
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('mails'))
    .where('recipient', '=', email)
    .where('kind', '=', kind)
    .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${seconds}::float8)`)
    .executeTakeFirstOrThrow();
  return mails;
}
