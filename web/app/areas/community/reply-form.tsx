import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { BodyField, LanguageField } from './write-fields.tsx';

type FormProps = {
  intent: string;
  label: string;
  /** Id of the reply to answer; without it, the post. */
  parent?: string;
  /** Address of "Cancel". */
  cancel?: string;
};

/** Text and language of a reply to the post or to another reply. */
export function ReplyForm({ intent, label, parent, cancel }: FormProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(intent);
  const sent = useSentCount(intent, isSubmitting);
  return (
    <SmartForm key={sent} intent={intent} encType="multipart/form-data" className="grid gap-4">
      {parent ? <input type="hidden" name="parent" value={parent} /> : null}
      <BodyField label={label} rows={4} autoFocus={Boolean(parent)} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <LanguageField />
        <div className="flex flex-wrap gap-3">
          {cancel ? (
            <Link to={cancel} preventScrollReset className="btn btn-quiet">
              {t('common.cancel')}
            </Link>
          ) : null}
          <Button isBusy={isSubmitting}>{t('community.reply_send')}</Button>
        </div>
      </div>
    </SmartForm>
  );
}

/** Counts successful submissions, so that the form is emptied although its page stays. */
function useSentCount(intent: string, isSubmitting: boolean): number {
  const [count, setCount] = useState(0);
  const wasSubmitting = useRef(false);
  const isRefused = useFormState()?.values?.['intent'] === intent;
  useEffect(() => {
    if (wasSubmitting.current && !isSubmitting && !isRefused) setCount((former) => former + 1);
    wasSubmitting.current = isSubmitting;
  }, [isSubmitting, isRefused]);
  return count;
}
