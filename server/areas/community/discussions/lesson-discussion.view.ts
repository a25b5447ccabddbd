import type { LessonDiscussion } from '@officium/contract/lesson-discussions';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL } from '#server/access/can.ts';
import { canDelete, canEdit, type Standing } from '../posts/activity.policy.ts';
import type { DiscussionRow } from './lesson-discussion.repository.ts';

/** A discussion with what its reader may do. */
export function toLessonDiscussion(
  row: DiscussionRow,
  viewerId: string,
  standing: Standing,
): z.output<typeof LessonDiscussion> {
  return {
    id: row.id,
    body: row.body,
    locale: row.locale,
    bodyHtml: row.bodyHtml,
    actor: row.actor,
    mentioned_users: row.mentioned,
    reaction_counts: { like: row.likeCount, reply: row.replyCount },
    own_reactions: row.ownReactions,
    pinned: row.isPinned,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    editedAt: row.editedAt?.toISOString(),
    can: {
      edit: canEdit(viewerId, standing, row),
      delete: canDelete(viewerId, standing, row),
      reply: standing.level >= BASIC,
      pin: standing.level >= FULL_CONTROL,
    },
  };
}
