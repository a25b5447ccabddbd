import type { Db } from '#server/db/client.ts';
import * as repository from './restoration.repository.ts';

/** Restores a deleted post. Takes the locks of a deletion, in the same order. `db` is a transaction. */
export async function restoreActivity(db: Db, id: string): Promise<boolean> {
  const activity = await repository.undeleteActivity(db, id);
  if (!activity) return false;
  // Deleting the post removed its replies from the search index.
  if (activity.community_id !== null || activity.lesson_key !== null) await repository.reindexReplies(db, id);
  return true;
}

/**
 * Restores a removed reply with its likes and counters. `held` is the JSON of its row. Returns false when its post or parent
 * no longer exists, or the reply exists already. `db` is a transaction.
 */
export async function restoreReply(
  db: Db,
  { decisionId, activityId, held }: { decisionId: string; activityId: string; held: string },
): Promise<boolean> {
  const reply = JSON.parse(held) as { id: string; parent_id: string | null; user_id: string }; // a row of reactions
  const isDirect = reply.parent_id === null;
  const activity = await repository.lockActivity(db, activityId);
  if (!activity) return false;
  if (reply.parent_id !== null && !(await repository.hasReaction(db, reply.parent_id))) return false;
  if (!(await repository.undeleteReply(db, held))) {
    if (await repository.hasReaction(db, reply.id)) return false;
    await repository.insertReply(db, { id: reply.id, held, decisionId });
  }
  if (reply.parent_id !== null) await repository.countReply(db, reply.parent_id);
  const isOwn = reply.user_id === activity.author_id;
  const points = isOwn ? 0 : await repository.countReplyOf(db, { activityId, userId: reply.user_id });
  if (isDirect || points > 0) await repository.addToCounters(db, activityId, { replies: isDirect ? 1 : 0, points });
  return true;
}
