import type { LessonDiscussion } from '@officium/contract/lesson-discussions';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, REDUCED } from '#server/access/can.ts';
import { canDelete, canEdit, type Rights } from '../posts/activity.policy.ts';
import type { DiscussionRow } from './lesson-discussion.repository.ts';

/** A discussion with the viewer's permissions. */
export function toLessonDiscussion(
  row: DiscussionRow,
  viewerId: string,
  rights: Rights,
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
      edit: canEdit(viewerId, rights, row),
      delete: canDelete(viewerId, rights, row),
      reply: rights.level >= BASIC,
      pin: rights.level >= FULL_CONTROL,
      report: rights.level >= REDUCED && row.authorId !== viewerId,
    },
  };
}
