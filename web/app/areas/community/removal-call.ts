import { ruleOf } from './rules.tsx';
import { textOf } from '../../form/fields.ts';

/** What is deleted: `why` only where a moderator does. */
export type Removed = {
  slug: string;
  kind: 'post' | 'poll' | 'reply';
  id: string;
  why?: { reason: string; note: string; rule: number | undefined };
};

/**
 * Deletes by the API itself, and not by the page's action: only so it can be sent while the page goes. Answers whether
 * it is gone, by this or by somebody else.
 */
export async function sendRemoval({ slug, kind, id, why }: Removed): Promise<boolean> {
  const community = `/api/community/communities/${slug}`;
  const path = { post: `activities/${id}`, poll: `polls/${id}`, reply: `reactions/${id}` }[kind];
  const reply = why
    ? await send('POST', '/api/moderation/decisions', {
        community: slug,
        kind: kind === 'reply' ? 'reaction' : 'activity',
        id,
        decision: 'remove',
        reason: why.reason,
        note: why.note || undefined,
        rule: why.rule,
      })
    : await send('DELETE', `${community}/${path}`);
  return reply.ok || reply.status === 404;
}

function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(path, { method, keepalive: true, ...(body && { headers, body: JSON.stringify(body) }) });
}

/** Why a moderator removes something, from the form of it; undefined while that says too little. */
export function whyOf(form: HTMLFormElement): Removed['why'] {
  const fields = new FormData(form);
  const reason = textOf(fields, 'reason');
  const note = textOf(fields, 'note').trim();
  return reason && (reason !== 'other' || note) ? { reason, note, rule: ruleOf(fields) } : undefined;
}
