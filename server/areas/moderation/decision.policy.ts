import type { Rights } from '#server/areas/community/posts/activity.policy.ts';
import { FULL_CONTROL } from '#server/access/can.ts';

type DecisionFacts = { authorId: string; decidedBy: string; isAuthorTop: boolean };

/** Moderators except the author. Decisions about owners and administrators need an owner or administrator. */
export function canReview(viewerId: string, access: Rights, decision: DecisionFacts): boolean {
  if (decision.authorId === viewerId) return false;
  return access.level >= FULL_CONTROL && (access.isTop || !decision.isAuthorTop);
}

/** False for the moderator who made the decision, who may not judge its appeal. */
export function isOtherModerator(viewerId: string, decision: DecisionFacts): boolean {
  return decision.decidedBy !== viewerId;
}
