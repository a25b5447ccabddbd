import { type Db, NOW } from '#server/db/client.ts';

/** The author of a removed text and the reporters, each with what they are told about. */
export type RecordedRemoval = { userId: string; objectId: string; activityId: string | null };

/** The decision that `record_removal` wrote about an object in this transaction; undefined when its author removed it. */
export async function getRemovalDecision(db: Db, objectId: string): Promise<RecordedRemoval | undefined> {
  return await db
    .selectFrom('moderation_decisions')
    .select(['author_id as userId', 'id as objectId', 'activity_id as activityId'])
    .where('object_id', '=', objectId)
    .where('decided_at', '=', NOW) // the start of this transaction
    .executeTakeFirst();
}

/** The reports of an object that were closed by its removal in this transaction. */
export async function findClosedReports(db: Db, objectId: string): Promise<RecordedRemoval[]> {
  return await db
    .selectFrom('content_reports')
    .select(['user_id as userId', 'id as objectId', 'activity_id as activityId'])
    .where('object_id', '=', objectId)
    .where('status', '=', 'removed')
    .where('decided_at', '=', NOW)
    .execute();
}
