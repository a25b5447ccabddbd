import type { ReactNode } from 'react';
import { SmartForm, useFormState, useSubmitting } from '../form/form-scope.tsx';
import { Button } from './button.tsx';

type Props = {
  intent: string;
  /** Label of the action, on the button that opens the question and on the one that confirms it. */
  label: string;
  /** Name of the object, for screen readers. */
  about?: string;
  /** Additional fields of the form. */
  fields?: Readonly<Record<string, string>>;
  look?: 'danger' | 'secondary' | 'quiet';
  /** With script, called instead of submitting the form: the caller runs the action and offers undo. */
  onConfirm?: () => void;
  /** The consequences, and a confirmation field where one is required. */
  children: ReactNode;
};

/** A destructive action that states its consequences and asks for confirmation. */
export function ConfirmAction({ intent, label, about, fields = {}, look = 'danger', onConfirm, children }: Props) {
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
        onSubmit={onConfirm && ((event) => (event.preventDefault(), onConfirm()))}
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
