import { useEffect, useRef } from 'react';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { ReasonFields } from '../../ui/reason-fields.tsx';

type Props = {
  act: 'report' | 'remove';
  target: { id: string; depth: number };
  /** Called after a successful submission with script. */
  onDone: () => void;
};

/** Reports a contribution or reply, or removes another person's as a moderator. */
export function ReasonForm({ act, target, onDone }: Props) {
  const { t } = useText();
  const intent = `${act}-${target.id}`;
  const { isSubmitting } = useSubmitting(intent);
  const isRefused = useFormState()?.values?.['intent'] === intent;
  const wasSubmitting = useRef(false);
  useEffect(() => {
    if (wasSubmitting.current && !isSubmitting && !isRefused) onDone();
    wasSubmitting.current = isSubmitting;
  }, [isSubmitting]); // once per submission
  const isReport = act === 'report';
  return (
    <SmartForm intent={intent} className="grid gap-4">
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="target" value={target.id} />
      <input type="hidden" name="depth" value={target.depth} />
      <ReasonFields
        question={t(isReport ? 'thread.report_why' : 'thread.remove_why')}
        noteHint={t(isReport ? 'thread.report_note_hint' : 'thread.remove_note_hint')}
      />
      <div>
        <Button look={isReport ? 'primary' : 'danger'} isBusy={isSubmitting}>
          {t(isReport ? 'thread.report_send' : 'learning.delete_now')}
        </Button>
      </div>
    </SmartForm>
  );
}
