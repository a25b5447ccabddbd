import { sql } from 'kysely';
import { WRITER_SECONDS } from '@officium/contract/authoring';
import type { Db } from '#server/db/client.ts';
import type { PieceKey } from './piece.policy.ts';

export type WriterRow = { name: string; since: Date };

const OVER = sql<Date>`now() - make_interval(secs => ${WRITER_SECONDS})`;

/** Notes that a person has a piece open. After a pause, they have opened it anew. */
export async function putWriter(db: Db, { kind, key }: PieceKey, userId: string): Promise<void> {
  await db
    .insertInto('content_writers')
    .values({ kind, key, user_id: userId })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key', 'user_id']).doUpdateSet(({ eb, ref }) => ({
        seen_at: sql`now()`,
        since: eb
          .case()
          .when('content_writers.seen_at', '<', OVER)
          .then(sql<Date>`now()`)
          .else(ref('content_writers.since'))
          .end(),
      })),
    )
    .execute();
}

/** The other people who have a piece open. */
export async function findOtherWriters(db: Db, { kind, key }: PieceKey, userId: string): Promise<WriterRow[]> {
  return await db
    .selectFrom('content_writers as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .select(['u.name', 'w.since'])
    .where('w.kind', '=', kind)
    .where('w.key', '=', key)
    .where('w.user_id', '!=', userId)
    .where('w.seen_at', '>=', OVER)
    .orderBy('w.since')
    .orderBy('w.user_id')
    .limit(20)
    .execute();
}
