import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { ReasonFields } from '../../ui/reason-fields.tsx';

/** Reports the article of this page, or removes it as an administrator. */
export function ReasonForm({ act }: { act: 'report' | 'remove' }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(act);
  const isRefused = useFormState()?.values?.['intent'] === act;
  const isReport = act === 'report';
  return (
    <details className="min-w-0 open:basis-full" open={isRefused}>
      <summary className="btn btn-quiet btn-small">
        {t(isReport ? 'thread.report' : 'moderation.article_remove')}
      </summary>
      <SmartForm intent={act} className="mt-4 grid gap-4">
        <ReasonFields
          question={t(isReport ? 'thread.report_why' : 'thread.remove_why')}
          noteHint={t(isReport ? 'thread.report_note_hint' : 'thread.remove_note_hint')}
        />
        <div>
          <Button look={isReport ? 'primary' : 'danger'} isBusy={isSubmitting}>
            {t(isReport ? 'thread.report_send' : 'moderation.article_remove')}
          </Button>
        </div>
      </SmartForm>
    </details>
  );
}
