import { type Selectable, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DemoContent } from '#server/db/schema.ts';

export type DemoContentRow = Omit<Selectable<DemoContent>, 'id'>;

/** undefined: this installation never loaded the demo. */
export async function getDemo(db: Db): Promise<DemoContentRow | undefined> {
  return await db.selectFrom('demo_content').select(['loaded_at', 'removal_asked_at', 'removed_at']).executeTakeFirst();
}

/** Notes that the demo is loaded, also again after a removal. */
export async function markLoaded(db: Db): Promise<void> {
  await db
    .insertInto('demo_content')
    .values({ id: 1 })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ loaded_at: sql`now()`, removal_asked_at: null, removed_at: null })
        .where('demo_content.removal_asked_at', 'is not', null),
    )
    .execute();
}

/** Notes that the demo is to be removed. False where it was never loaded. */
export async function markRemoving(db: Db): Promise<boolean> {
  const row = await db
    .updateTable('demo_content')
    .set({ removal_asked_at: sql`now()`, removed_at: null })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function markRemoved(db: Db): Promise<void> {
  await db
    .updateTable('demo_content')
    .set({ removed_at: sql`now()` })
    .where('removal_asked_at', 'is not', null)
    .execute();
}
