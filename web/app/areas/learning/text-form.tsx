import { createContext, useContext, useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { useActionData, useFetcher } from 'react-router';
import { PictureFields } from '../../editor/lazy-picture-fields.tsx';
import { asFormState, FormScope } from '../../form/form-scope.tsx';
import { issueOf } from '../../form/state.ts';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { TextArea } from '../../ui/field.tsx';
import { NeedsNetwork, useNetwork } from './network.tsx';

/** The API address for pictures of the discussion. */
export const PictureAddress = createContext<string | undefined>(undefined);

type Props = {
  act: 'start' | 'reply' | 'edit';
  /** The post to answer or edit, with its depth. */
  target?: { id: string; depth: number };
  label: ReactNode;
  hideLabel?: boolean;
  /** Initial text. */
  text?: string;
  lang?: string;
  className?: string;
  /** Called after a successful submission with script. */
  onDone?: () => void;
  children: (isBusy: boolean) => ReactNode;
};

/** A form with one text that submits without navigating; a plain form without script. */
export function TextForm({ act, target, label, hideLabel, text = '', lang, className, onDone, children }: Props) {
  const { t } = useText();
  const key = target ? `${act}-${target.id}` : act;
  const fetcher = useQuietFetcher();
  const answer = asFormState(useActionData());
  const state = asFormState(fetcher.data) ?? (answer?.values?.['key'] === key ? answer : undefined);
  const picturesTo = useContext(PictureAddress);
  const form = useRef<HTMLFormElement>(null);
  const isDone = fetcher.state === 'idle' && isDoneAnswer(fetcher.data);
  useEffect(() => {
    if (!isDone) return;
    if (act !== 'edit') form.current?.reset();
    announce(
      act === 'reply'
        ? t('learning.reply_made')
        : act === 'start'
          ? t('learning.contribution_made')
          : t('common.saved'),
    );
    onDone?.();
  }, [isDone, fetcher.data]); // once per response
  return (
    <form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={fetcher.send}
      className={`needs-network ${className ?? ''}`}
      noValidate
    >
      {state ? <ErrorSummary state={state} prefix={`${key}-`} /> : null}
      {fetcher.isMissing ? <NeedsNetwork /> : null}
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="key" value={key} />
      {target ? (
        <>
          <input type="hidden" name="target" value={target.id} />
          <input type="hidden" name="depth" value={target.depth} />
        </>
      ) : null}
      {lang ? <input type="hidden" name="lang" value={lang} /> : null}
      <TextArea
        name="body"
        id={`${key}-body`}
        label={label}
        hideLabel={hideLabel}
        className="[&_textarea]:min-h-24"
        lang={lang}
        dir="auto"
        defaultValue={state?.values?.['body'] ?? text}
        error={issueOf(state, 'body')}
        required
      />
      {picturesTo ? (
        <FormScope state={state} prefix={`${key}-`}>
          <PictureFields to={picturesTo} />
        </FormScope>
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">{children(fetcher.state !== 'idle')}</div>
    </form>
  );
}

/** Submits a plain form by script and requests a result instead of a redirect. */
export function useQuietFetcher() {
  const fetcher = useFetcher<unknown>();
  const { isMissing, hold } = useNetwork();
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (fetcher.state !== 'idle' || hold(event)) return;
    const fields = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    submit(fields);
  }
  function submit(fields: FormData) {
    fields.set('stay', 'yes');
    void fetcher.submit(fields, { method: 'post', encType: 'multipart/form-data' });
  }
  return { data: fetcher.data, state: fetcher.state, formData: fetcher.formData, isMissing, hold, send, submit };
}

function isDoneAnswer(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'isDone' in answer;
}
