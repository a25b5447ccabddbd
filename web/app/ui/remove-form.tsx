import { SmartForm, useSubmitting } from '../form/form-scope.tsx';
import { Button } from './button.tsx';

type Props = { intent: string; label: string; /** What will be lost. */ text: string; id?: string };

/** Removes something in two steps: the consequences are shown before the button that does it. */
export function RemoveForm({ intent, label, text, id }: Props) {
  const { isSubmitting } = useSubmitting(intent);
  return (
    <details className="mt-2">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">{label}…</summary>
      <SmartForm intent={intent} className="mt-2 mb-4 grid gap-4 border-s-4 border-danger ps-4">
        {id ? <input type="hidden" name="id" value={id} /> : null}
        <p className="max-w-prose">{text}</p>
        <div>
          <Button look="danger" isBusy={isSubmitting}>
            {label}
          </Button>
        </div>
      </SmartForm>
    </details>
  );
}
