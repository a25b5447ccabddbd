import type { ReactNode } from 'react';
import { SmartForm, useFormState, useSubmitting } from '../form/form-scope.tsx';
import { Button } from './button.tsx';

type Props = {
  intent: string;
  /** What is done, on the button that opens the question and on the one that does it. */
  label: string;
  /** What it is done to, for those who do not see the row. */
  about?: string;
  /** Sent with the form. */
  fields?: Readonly<Record<string, string>>;
  look?: 'danger' | 'secondary' | 'quiet';
  /** With script, instead of sending the form: it is done from here and can be undone for a while. */
  letGo?: () => void;
  /** What will be lost; a field to type in, where that is asked for. */
  children: ReactNode;
};

/** An act that is not lightly taken back: it says what becomes of things, and is done by a second press. */
export function AskFirst({ intent, label, about, fields = {}, look = 'danger', letGo, children }: Props) {
  const isRefused = useFormState()?.values?.['intent'] === intent;
  const { isSubmitting } = useSubmitting(intent);
  const name = about ? <span className="sr-only">: {about}</span> : null;
  return (
    <details className="min-w-0 open:basis-full" open={isRefused}>
      <summary className={`btn btn-${look}`}>
        {label}
        {name}
      </summary>
      <SmartForm
        intent={intent}
        onSubmit={letGo && ((event) => (event.preventDefault(), letGo()))}
        className="mt-3 grid max-w-prose gap-4 border-s-4 border-danger ps-4 text-start"
      >
        {Object.entries(fields).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <div>{children}</div>
        <div>
          <Button look="danger" isBusy={isSubmitting}>
            {label}
            {name}
          </Button>
        </div>
      </SmartForm>
    </details>
  );
}
