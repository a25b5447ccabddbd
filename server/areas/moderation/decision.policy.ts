import type { Standing } from '#server/areas/community/posts/activity.policy.ts';
import { FULL_CONTROL } from '#server/access/can.ts';

type Decided = { authorId: string; decidedBy: string; isAuthorTop: boolean };

/** Who moderates there, its author apart; one who is not an owner has no say over owners and administrators. */
export function canReview(viewerId: string, standing: Standing, decision: Decided): boolean {
  if (decision.authorId === viewerId) return false;
  return standing.level >= FULL_CONTROL && (standing.isTop || !decision.isAuthorTop);
}

/** Nobody decides about a decision of their own. */
export function isAnother(viewerId: string, decision: Decided): boolean {
  return decision.decidedBy !== viewerId;
}
