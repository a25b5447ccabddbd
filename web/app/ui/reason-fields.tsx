import type { ReactNode } from 'react';
import { useText } from '../text.tsx';
import { useFormScope } from '../form/form-scope.tsx';
import { FieldGroup, Radio, TextArea } from './field.tsx';
import { REASONS } from './reason-text.ts';

type Props = { question: string; noteHint?: string; /** Fields between reason and note. */ children?: ReactNode };

/** Reason fields of a report or removal: one reason, and a note that only `other` requires. */
export function ReasonFields({ question, noteHint, children }: Props) {
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
      {children}
      <TextArea name="note" label={t('thread.note')} hint={noteHint} rows={3} maxLength={1000} dir="auto" />
    </>
  );
}
