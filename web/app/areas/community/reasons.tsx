import { ReasonFields as Fields } from '../../ui/reason-fields.tsx';
import { RuleField } from './rules.tsx';

/** Reason fields of a community, which may have rules. */
export function ReasonFields(props: { question: string; noteHint?: string }) {
  return (
    <Fields {...props}>
      <RuleField />
    </Fields>
  );
}
