import { decideReports } from '@officium/contract/moderation';
import { claimCase } from '@officium/contract/moderation-office';
import type { act } from '../../server/api.ts';
import { optionalOf, textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { reasonOf } from '../../form/reason-field.ts';
import { ruleOf } from './rules.tsx';

const KINDS = ['activity', 'reaction', 'article'] as const;

type Args = Awaited<ReturnType<typeof act>>;

/** Handles the forms of a page of reports: takes or releases a case, or decides it. */
export async function decideCase({ attempt, fields, url }: Args, page: string, community?: string) {
  const intent = textOf(fields, 'intent');
  const isKept = intent === 'keep';
  const back = page + url.search;
  const kind = textOf(fields, 'kind');
  const thing = { community, kind: KINDS.find((known) => known === kind) ?? 'activity', id: textOf(fields, 'target') };
  if (intent === 'take' || intent === 'give-back') {
    const claimed = await attempt(claimCase, { body: { ...thing, take: intent === 'take' } });
    if (claimed.ok)
      return redirectWith(`${back}#${thing.id}`, {
        key: `moderation.case_${intent === 'take' ? 'taken' : 'given_back'}`,
      });
    return redirectWith(back, { key: 'errors.moderation.taken', tone: 'info' });
  }
  const said = { ...thing, note: optionalOf(fields, 'note') };
  const body = isKept
    ? { ...said, decision: 'dismiss' as const }
    : { ...said, decision: 'remove' as const, reason: reasonOf(fields), rule: ruleOf(fields) };
  const done = await attempt(decideReports, { body });
  if (done.ok) return redirectWith(back, { key: isKept ? 'thread.reports_kept' : 'thread.reports_removed' });
  if (done.failure.status === 404) return redirectWith(back, { key: 'thread.reports_decided', tone: 'info' });
  if (done.failure.code === 'moderation.taken')
    return redirectWith(back, { key: 'errors.moderation.taken', tone: 'info' });
  return done.refusal;
}
