import { createContext, use, type SubmitEvent } from 'react';
import { useFetcher } from 'react-router';

type Fetcher<Answer> = Pick<ReturnType<typeof useFetcher<Answer>>, 'data' | 'formData' | 'submit'>;

/** Whether a part is being written apart from its page (kept.tsx), with texts and translations and no router around it. */
export const IsApartContext = createContext(false);

/** Nothing is sent from the server. */
const STILL: Fetcher<never> = { data: undefined, formData: undefined, submit: async () => {} };

/**
 * For plain forms of which a page has many: a fetcher's own would cost the server some of its time. What the form sends
 * is answered in its place; without script the whole page is.
 */
export function usePlainForm<Answer>(): Fetcher<Answer> & { onSubmit: (event: SubmitEvent<HTMLFormElement>) => void } {
  // Whether it is apart does not change.
  const fetcher: Fetcher<Answer> =
    import.meta.env.SSR && use(IsApartContext) ? (STILL as Fetcher<Answer>) : useFetcher<Answer>();
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as globalThis.SubmitEvent; // the event's type, which React leaves open
    void fetcher.submit(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget);
  };
  return { data: fetcher.data, formData: fetcher.formData, submit: fetcher.submit, onSubmit };
}
