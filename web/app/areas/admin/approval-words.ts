import type { reviewAutoApprovals } from '@officium/contract/approval-review';
import { AutoApprovalType } from '@officium/contract/people';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Text } from '../../text.tsx';
import type { Option } from '../../ui/field.tsx';

type Words = Pick<Text, 't'>;
export type ReviewedRule = ReplyOf<typeof reviewAutoApprovals>['rules'][number];
export type RuleWarning = ReviewedRule['warnings'][number];
export type RuleType = ReviewedRule['type'];

export const RULE_TYPES: readonly RuleType[] = AutoApprovalType.options;

export const ruleTypeOptions = ({ t }: Words): Option[] =>
  RULE_TYPES.map((type) => ({ value: type, label: t(`admin.approval_type_${type}`) }));

export const ruleTypeWord = ({ t }: Words, type: RuleType): string => t(`admin.approval_type_${type}`);

/** A warning about a rule, as a sentence. */
export function warningText({ t }: Words, value: string, { kind, by }: RuleWarning): string {
  const domain = value.slice(value.lastIndexOf('@') + 1);
  return t(`admin.approval_warn_${kind}`, { value: by?.value ?? domain });
}
