import { ruleOf } from './rules.tsx';
import { textOf } from '../../form/fields.ts';
import type { Deletion } from '../../ui/going.ts';

/** What is deleted: `why` only where a moderator does. */
export type Removed = {
  slug: string;
  kind: 'post' | 'poll' | 'reply';
  id: string;
  why?: { reason: string; note: string; rule: number | undefined };
};

/** The operation that deletes it. */
export function deletionOf({ slug, kind, id, why }: Removed): Deletion {
  if (!why) {
    const path = { post: `activities/${id}`, poll: `polls/${id}`, reply: `reactions/${id}` }[kind];
    return { path: `/api/community/communities/${slug}/${path}` };
  }
  return {
    path: '/api/moderation/decisions',
    body: {
      community: slug,
      kind: kind === 'reply' ? 'reaction' : 'activity',
      id,
      decision: 'remove',
      reason: why.reason,
      note: why.note || undefined,
      rule: why.rule,
    },
  };
}

/** Why a moderator removes something, from the form of it; undefined while that says too little. */
export function whyOf(form: HTMLFormElement): Removed['why'] {
  const fields = new FormData(form);
  const reason = textOf(fields, 'reason');
  const note = textOf(fields, 'note').trim();
  return reason && (reason !== 'other' || note) ? { reason, note, rule: ruleOf(fields) } : undefined;
}
