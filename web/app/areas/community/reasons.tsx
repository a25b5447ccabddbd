import { useText } from '../../text.tsx';
import { useFormScope } from '../../form/form-scope.tsx';
import { FieldGroup, Radio, TextArea } from '../../ui/field.tsx';
import { REASONS } from '../../ui/reason-text.ts';
import { RuleField } from './rules.tsx';

type Props = { question: string; noteHint?: string };

/** Why something is reported or removed: one reason, and a note that only `other` needs. */
export function ReasonFields({ question, noteHint }: Props) {
  const { t } = useText();
  const { state } = useFormScope();
  const chosen = state?.values?.['reason'];
  return (
    <>
      <FieldGroup name="reason" legend={question}>
        {REASONS.map((reason) => (
          <Radio
            key={reason}
            name="reason"
            value={reason}
            label={t(`thread.reason_${reason}`)}
            defaultChecked={reason === chosen}
            required
          />
        ))}
      </FieldGroup>
      <RuleField />
      <TextArea name="note" label={t('thread.note')} hint={noteHint} rows={3} maxLength={1000} dir="auto" />
    </>
  );
}
