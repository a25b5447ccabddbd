import type { Db } from '#server/db/client.ts';
import { notify } from '#server/notify/notify.ts';
import { findClosedReports, getRemovalDecision } from './removal.repository.ts';

/** Notifies the author and the reporters of a text that a moderator removed, in the transaction of the removal. */
export async function notifyOfRemoval(db: Db, objectId: string): Promise<void> {
  const decision = await getRemovalDecision(db, objectId);
  if (!decision) return;
  const reports = await findClosedReports(db, objectId);
  await notify(db, [
    { ...decision, event: 'moderation' },
    ...reports.map((report) => ({ ...report, event: 'report_outcome' as const })),
  ]);
}
