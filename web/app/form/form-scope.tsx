import { createContext, useContext, type ReactNode } from 'react';
import { Form, useActionData, useNavigation, type FetcherWithComponents, type FormProps } from 'react-router';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { keepable, type FormState } from './state.ts';

type Scope = { state: FormState | undefined; prefix: string };
const ScopeContext = createContext<Scope>({ state: undefined, prefix: '' });

/** Gives a form that is not a `SmartForm` the context for its fields. */
export function FormScope({ children, ...scope }: Scope & { children: ReactNode }) {
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

/** Form context for the fields: the last refusal, and the prefix of their ids. */
export function useFormScope(): Scope {
  return useContext(ScopeContext);
}

/** The refusal of the page's action, if its last result was one. */
export function useFormState(): FormState | undefined {
  return asFormState(useActionData());
}

export function asFormState(answer: unknown): FormState | undefined {
  const isState = typeof answer === 'object' && answer !== null && 'issues' in answer && 'message' in answer;
  return isState ? (answer as FormState) : undefined; // only `refuse` in api.ts returns this shape
}

type SmartFormProps = FormProps & {
  /** Distinguishes several forms on one page: submitted as `intent` and prefixed to field ids. */
  intent?: string;
  /** For a form with several buttons: pattern of the intents whose refusals it shows. */
  refusalsOf?: RegExp;
  /** With a fetcher, the form submits without navigating. */
  fetcher?: FetcherWithComponents<unknown>;
  children: ReactNode;
};

/**
 * A form that works with and without script. A refusal is shown as a summary on top and beside the fields, and the
 * submitted values are kept.
 */
export function SmartForm({ intent, refusalsOf, fetcher, children, method = 'post', ...rest }: SmartFormProps) {
  const answer = useActionData<unknown>();
  const state = asFormState(fetcher ? fetcher.data : answer);
  const sent = state?.values?.['intent'] ?? '';
  const isMine = refusalsOf ? refusalsOf.test(sent) : !intent || fetcher || sent === intent;
  const prefix = intent ? `${intent}-` : '';
  const Tag = fetcher ? fetcher.Form : Form;
  return (
    <ScopeContext value={{ state: isMine ? state : undefined, prefix }}>
      <Tag method={method} noValidate {...rest}>
        {intent ? <input type="hidden" name="intent" value={intent} /> : null}
        {state && isMine ? <ErrorSummary state={state} prefix={prefix} /> : null}
        {children}
      </Tag>
    </ScopeContext>
  );
}

/** Whether a form of this page is being submitted; with `intent`, that one. `values` are its fields. */
export function useSubmitting(intent?: string): { isSubmitting: boolean; values: Record<string, string> | undefined } {
  const { formData, formMethod } = useNavigation();
  const isSubmitting = Boolean(formData && formMethod !== 'GET' && (!intent || formData.get('intent') === intent));
  return { isSubmitting, values: isSubmitting && formData ? keepable(formData) : undefined };
}
