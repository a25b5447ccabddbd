// Raw SQL: a setting of the transaction, which triggers read.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ContentKind } from './report.repository.ts';

/** A removed post, reply or article. `held`: the JSON of its row. */
export type Removal = { kind: ContentKind; objectId: string; activityId: string | null; held: string };

/** The text that a decision removed; undefined when the text is no longer kept or its community is not published. */
export async function getRemoval(db: Db, decisionId: string): Promise<Removal | undefined> {
  return await db
    .selectFrom('moderation_decisions as d')
    .select((eb) => [
      'd.kind',
      'd.object_id as objectId',
      'd.activity_id as activityId',
      eb.cast<string>('d.held', 'text').as('held'),
    ])
    .where('d.id', '=', decisionId)
    .where('d.held', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('d.community_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('communities as c')
            .innerJoin('entries as e', 'e.id', 'c.entry_id')
            .select('c.id')
            .whereRef('c.id', '=', 'd.community_id')
            .where('e.status', '=', 'published'),
        ),
      ]),
    )
    .$narrowType<{ kind: ContentKind }>()
    .executeTakeFirst();
}

/** While true, slow mode (`take_turn`) does not apply to what this transaction writes. */
export async function setRestoring(db: Db, isRestoring: boolean): Promise<void> {
  await sql`select set_config('officium.restoring', ${isRestoring ? 'on' : ''}, true)`.execute(db);
}
