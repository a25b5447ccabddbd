import type { z } from 'zod';
import type { ConnectionStatus } from '@officium/contract/account';

export type Status = z.output<typeof ConnectionStatus>;
type Side = 'requester' | 'recipient';

/** Which side may change a connection from one status to another. New requests are handled by `requestOutcome`. */
const MOVES: Partial<Record<Status, Partial<Record<Status, readonly Side[]>>>> = {
  pending: { cancelled: ['requester'], accepted: ['recipient'], declined: ['recipient'] },
  accepted: { removed: ['requester', 'recipient'] },
};

export function canMove(from: Status, to: Status, side: Side): boolean {
  return MOVES[from]?.[to]?.includes(side) ?? false;
}

export type RequestOutcome = 'pending' | 'accepted' | 'refused' | 'wait';

/** Effect of a new request on an existing connection. `isResting`: declined less than 30 days ago. */
export function requestOutcome(from: Status, side: Side, isResting: boolean): RequestOutcome {
  switch (from) {
    case 'accepted':
      return 'refused';
    case 'pending':
      return side === 'recipient' ? 'accepted' : 'refused';
    case 'declined':
      return side === 'requester' && isResting ? 'wait' : 'pending';
    case 'cancelled':
    case 'removed':
      return 'pending';
  }
}
