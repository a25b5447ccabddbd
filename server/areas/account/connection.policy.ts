import type { z } from 'zod';
import type { ConnectionStatus } from '@officium/contract/account';

export type Status = z.output<typeof ConnectionStatus>;
type Side = 'asker' | 'asked';

/** Who may take a connection from one status to another; asking is not among these moves. */
const MOVES: Partial<Record<Status, Partial<Record<Status, readonly Side[]>>>> = {
  pending: { cancelled: ['asker'], accepted: ['asked'], declined: ['asked'] },
  accepted: { removed: ['asker', 'asked'] },
};

export function canMove(from: Status, to: Status, side: Side): boolean {
  return MOVES[from]?.[to]?.includes(side) ?? false;
}

export type AskOutcome = 'pending' | 'accepted' | 'refused' | 'wait';

/** What asking makes of a connection there is already. `isResting`: declined less than 30 days ago. */
export function askOutcome(from: Status, side: Side, isResting: boolean): AskOutcome {
  switch (from) {
    case 'accepted':
      return 'refused';
    case 'pending':
      return side === 'asked' ? 'accepted' : 'refused';
    case 'declined':
      return side === 'asker' && isResting ? 'wait' : 'pending';
    case 'cancelled':
    case 'removed':
      return 'pending';
  }
}
