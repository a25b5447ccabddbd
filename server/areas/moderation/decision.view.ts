import type { Decision } from '@officium/contract/decisions';
import type { DecisionRow, SummaryRow } from './decision.repository.ts';

type Summary = Pick<Decision, 'id' | 'kind' | 'community' | 'lesson' | 'article' | 'reason' | 'decidedAt' | 'appeal'>;

export function toSummary({ id, kind, community, lesson, article, reason, decidedAt, appeal }: SummaryRow): Summary {
  return { id, kind, community, lesson, article, reason, decidedAt: decidedAt.toISOString(), appeal };
}

function toText({ mentioned, writtenAt, ...text }: NonNullable<DecisionRow['text']>): NonNullable<Decision['text']> {
  return {
    ...text,
    mentionedUsers: Object.fromEntries(mentioned.map((person) => [person.id, person])),
    writtenAt: new Date(writtenAt).toISOString(),
  };
}

/** The statement of a decision. Moderators see the author and the deciding moderator; the author sees neither. */
export function toDecision(row: DecisionRow, rights: { isAuthor: boolean; canDecide: boolean }): Decision {
  const { text, rule, ruleHtml, authorName } = row;
  const { isAuthor, canDecide } = rights;
  return {
    ...toSummary(row),
    activityId: row.activityId,
    note: row.note,
    rule: rule !== null && ruleHtml !== null ? { number: rule, html: ruleHtml } : null,
    byReport: row.byReport,
    text: text && toText(text),
    appealUntil: row.appealUntil.toISOString(),
    appealText: row.appealText,
    appealedAt: row.appealedAt?.toISOString() ?? null,
    outcomeNote: row.outcomeNote,
    outcomeAt: row.outcomeAt?.toISOString() ?? null,
    isRestored: row.isRestored,
    decidedBy: isAuthor ? null : row.decidedByName,
    author: isAuthor || authorName === null ? null : { id: row.authorId, name: authorName },
    can: { appeal: isAuthor && row.isAppealable, decide: canDecide },
  };
}
