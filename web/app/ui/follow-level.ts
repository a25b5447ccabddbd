import type { FollowKind, FollowLevel } from '@officium/contract/follows';

/** The name of a level: people and topics are followed, places are watched. */
export function levelKey(kind: FollowKind, level: FollowLevel) {
  const isWatched = kind === 'community' || kind === 'thread';
  return level === 'watching' && !isWatched ? 'follow.level_following' : (`follow.level_${level}` as const);
}
