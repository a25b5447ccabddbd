import { readArticle } from '@officium/contract/content';
import { decideReports, reportContent } from '@officium/contract/moderation';
import type { act } from '../../server/api.ts';
import { optionalOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { reasonOf } from '../../form/reason-field.ts';

type Args = Awaited<ReturnType<typeof act>>;

/** Reports an article, or removes it as an administrator, with a reason. */
export async function moderate({ api, attempt, fields }: Args, slug: string, intent: 'report' | 'remove') {
  const { id } = await api(readArticle, { params: { slug } });
  const said = { kind: 'article' as const, id, reason: reasonOf(fields), note: optionalOf(fields, 'note') };
  if (intent === 'report') {
    const sent = await attempt(reportContent, { body: said });
    return sent.ok ? redirectWith(`/articles/${encodeURIComponent(slug)}`, { key: 'thread.reported' }) : sent.refusal;
  }
  const gone = await attempt(decideReports, { body: { ...said, decision: 'remove' } });
  return gone.ok ? redirectWith('/articles', { key: 'thread.reports_removed' }) : gone.refusal;
}
