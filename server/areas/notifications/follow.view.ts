import type { Follow } from '@officium/contract/follows';
import { pagePath } from '#server/page-address.ts';
import type { FollowRow, FollowRowWithMuted } from './follow.repository.ts';

export function toFollow({ kind, id, title, place, page, level, since }: FollowRow): Follow {
  return {
    kind,
    id,
    title: title || null,
    place: place || null,
    path: page && pagePath(page),
    level,
    since: since?.toISOString() ?? null,
  };
}

export function toFollowWithMuted(row: FollowRowWithMuted): Follow & { mutedPeople: string[] } {
  return { ...toFollow(row), mutedPeople: row.mutedPeople };
}
