import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import * as store from '#server/areas/importing/import.repository.ts';
import { openToChange } from './piece-open.service.ts';
import * as orderStore from './piece-order.repository.ts';

/** Orders the journeys of a course. The order is not part of the draft, so learners see it immediately. */
export async function orderJourneys(
  ctx: Ctx,
  actor: UserViewer,
  { key, journeys }: { key: string; journeys: string[] },
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    await store.lockImport(db);
    await openToChange(db, actor, { kind: 'course', key }, 'publish-content');
    const there = await orderStore.findLiveJourneys(db, key);
    const named = new Set(journeys);
    const isWhole =
      there.length === journeys.length && there.length === named.size && there.every((each) => named.has(each));
    if (!isWhole) throw new AppError('content.changed_meanwhile');
    await orderStore.updateJourneyOrder(db, key, journeys);
    await recordAction(db, actor, { action: 'content.order-journeys', object: key, detail: { journeys } });
  });
}
