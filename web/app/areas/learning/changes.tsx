import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { ChangesLine, type ChangesProps } from '../../ui/journey-changes.tsx';

/** Changes to a finished journey on its course page, with a button to mark them as seen. */
export function Changes({ changes, course, journey }: ChangesProps) {
  const { t } = useText();
  const intent = `seen-${journey}`;
  const { isSubmitting } = useSubmitting(intent);
  return (
    <div className="mb-8 border-y border-line py-5">
      <ChangesLine {...{ changes, course, journey }} />
      <p className="mt-1 mb-4 text-muted">{t('learning.changes_keep')}</p>
      <SmartForm intent={intent}>
        <input type="hidden" name="journey" value={journey} />
        <input type="hidden" name="seen" value={changes.revision} />
        <Button look="secondary" small isBusy={isSubmitting}>
          {t('learning.changes_seen')}
        </Button>
      </SmartForm>
    </div>
  );
}
