import { data } from 'react-router';
import { checkAutoApproval } from '@officium/contract/approval-review';
import { createAutoApproval, updateAutoApproval } from '@officium/contract/people';
import type { Attempt } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { oneOf } from './access-words.ts';
import type { Doubt } from './approval-form.tsx';
import { RULE_TYPES } from './approval-words.ts';

/** Saves a rule, or creates one when `id` is absent. A rule with warnings is saved only when the form confirms them. */
export async function saveRule(attempt: Attempt, fields: FormData, id?: string) {
  const type = oneOf(RULE_TYPES, textOf(fields, 'type')) ?? 'domain';
  const checked = await attempt(checkAutoApproval, { query: { type, value: textOf(fields, 'value'), id } });
  if (!checked.ok) return { isSaved: false as const, answer: checked.refusal };
  const { value, warnings } = checked.body;
  if (warnings.length > 0 && textOf(fields, 'accepted') !== `${type} ${value}`) {
    const doubt: Doubt = { doubt: { type, value, warnings } };
    return { isSaved: false as const, answer: data(doubt, { status: 422 }) };
  }
  const body = { type, value };
  const done = id
    ? await attempt(updateAutoApproval, { params: { id }, body })
    : await attempt(createAutoApproval, { body });
  return done.ok ? { isSaved: true as const, value } : { isSaved: false as const, answer: done.refusal };
}
