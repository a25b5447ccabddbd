import { createContext, use, type SubmitEvent } from 'react';
import { useFetcher } from 'react-router';

type Fetcher<Answer> = Pick<ReturnType<typeof useFetcher<Answer>>, 'data' | 'formData' | 'submit'>;

/** Whether a part is rendered apart from its page (shared-html.tsx), with messages and translations but without a router. */
export const IsApartContext = createContext(false);

/** A fetcher that does nothing, for the server. */
const STILL: Fetcher<never> = { data: undefined, formData: undefined, submit: async () => {} };

/**
 * For pages with many plain forms: cheaper to render on the server than fetcher forms. With script the result replaces
 * the form in place; without it, the page reloads.
 */
export function usePlainForm<Answer>(): Fetcher<Answer> & { onSubmit: (event: SubmitEvent<HTMLFormElement>) => void } {
  // This never changes between renders.
  const fetcher: Fetcher<Answer> =
    import.meta.env.SSR && use(IsApartContext) ? (STILL as Fetcher<Answer>) : useFetcher<Answer>();
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as globalThis.SubmitEvent; // the native type, which React does not declare
    void fetcher.submit(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget);
  };
  return { data: fetcher.data, formData: fetcher.formData, submit: fetcher.submit, onSubmit };
}
