import { createContext, useContext, type ReactNode } from 'react';
import { Form, useActionData, useNavigation, type FetcherWithComponents, type FormProps } from 'react-router';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { keepable, type FormState } from './state.ts';

type Scope = { state: FormState | undefined; prefix: string };
const ScopeContext = createContext<Scope>({ state: undefined, prefix: '' });

/** What the fields below know of their form: the last refusal, and what to put before their ids. */
export function useFormScope(): Scope {
  return useContext(ScopeContext);
}

/** The refusal of the page's action, if that is what it last answered. */
export function useFormState(): FormState | undefined {
  return asFormState(useActionData());
}

export function asFormState(answer: unknown): FormState | undefined {
  const isState = typeof answer === 'object' && answer !== null && 'issues' in answer && 'message' in answer;
  return isState ? (answer as FormState) : undefined; // `refuse` in api.ts is the only maker of this shape
}

type SmartFormProps = FormProps & {
  /** Tells several forms of one page apart: sent as `intent` and put before the ids of fields. */
  intent?: string;
  /** For a form with several buttons beside other forms: whose refusals it shows, by their intent. */
  refusalsOf?: RegExp;
  /** Give a fetcher to stay on the page and keep the history as it is. */
  fetcher?: FetcherWithComponents<unknown>;
  children: ReactNode;
};

/**
 * A form that posts with or without script. Refusals show as a summary on top and beside the fields below it;
 * what had been typed is kept.
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

/** Whether a form of this page is under way; with `intent`, that one. `values` are the fields being sent. */
export function useSubmitting(intent?: string): { isSubmitting: boolean; values: Record<string, string> | undefined } {
  const { formData, formMethod } = useNavigation();
  const isSubmitting = Boolean(formData && formMethod !== 'GET' && (!intent || formData.get('intent') === intent));
  return { isSubmitting, values: isSubmitting && formData ? keepable(formData) : undefined };
}
