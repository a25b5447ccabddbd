import type { LessonDiscussion } from '@officium/contract/lesson-discussions';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { canDelete, canEdit, type Rights } from '../posts/activity.policy.ts';
import { toAuthored } from '../reading/person.view.ts';
import type { ShownPersonRow } from '../reading/rows.repository.ts';
import type { DiscussionRow } from './lesson-discussion.repository.ts';

/** A discussion with the viewer's permissions. */
export function toLessonDiscussion(
  row: DiscussionRow,
  { viewer, rights, people }: { viewer: UserViewer; rights: Rights; people: Map<string, ShownPersonRow> },
): z.output<typeof LessonDiscussion> {
  const { actor, mentionedUsers } = toAuthored(viewer, row, people);
  return {
    id: row.id,
    body: row.body,
    locale: row.locale,
    bodyHtml: row.bodyHtml,
    actor,
    mentioned_users: mentionedUsers,
    reaction_counts: { like: row.likeCount, reply: row.replyCount },
    own_reactions: row.ownReactions,
    pinned: row.isPinned,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    editedAt: row.editedAt?.toISOString(),
    can: {
      edit: canEdit(viewer.id, rights, row),
      delete: canDelete(viewer.id, rights, row),
      reply: rights.level >= BASIC,
      pin: rights.level >= FULL_CONTROL,
      report: rights.level >= REDUCED && row.authorId !== viewer.id,
    },
  };
}
