import { ruleOf } from './rules.tsx';
import { textOf } from '../../form/fields.ts';
import type { Deletion } from '../../ui/deletion.ts';

/** The post or reply to delete; `why` is set only when a moderator removes it. */
export type Removed = {
  /** The community; undefined elsewhere. */
  slug: string | undefined;
  kind: 'post' | 'poll' | 'reply' | 'article';
  id: string;
  why?: { reason: string; note: string; rule: number | undefined };
};

/** The API call that deletes it. */
export function deletionOf({ slug, kind, id, why }: Removed): Deletion {
  if (!why && kind !== 'article') {
    const path = { post: `activities/${id}`, poll: `polls/${id}`, reply: `reactions/${id}` }[kind];
    return { path: `/api/community/communities/${slug}/${path}` };
  }
  return {
    path: '/api/moderation/decisions',
    body: {
      community: slug,
      kind: kind === 'reply' ? 'reaction' : kind === 'article' ? 'article' : 'activity',
      id,
      decision: 'remove',
      reason: why?.reason,
      note: why?.note || undefined,
      rule: why?.rule,
    },
  };
}

/** The reason and note of a moderator's removal form; undefined while it is incomplete. */
export function whyOf(form: HTMLFormElement): Removed['why'] {
  const fields = new FormData(form);
  const reason = textOf(fields, 'reason');
  const note = textOf(fields, 'note').trim();
  return reason && (reason !== 'other' || note) ? { reason, note, rule: ruleOf(fields) } : undefined;
}
