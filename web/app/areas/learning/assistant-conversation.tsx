import { useEffect, useRef, type FormEvent } from 'react';
import { Link, useLocation } from 'react-router';
import { asFormState, SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { TextArea } from '../../ui/field.tsx';
import { AnswerText } from './assistant-answer.tsx';
import { useStreamedAnswer } from './use-streamed-answer.ts';
import type { Assistant, Exchange, OtherThread } from './assistant.load.ts';
import { NeedsNetwork } from './network.tsx';
import { useQuietFetcher } from './text-form.tsx';

/** The question form, the answers and their actions. */
export function Conversation({ assistant, lang }: { assistant: Assistant; lang: string | undefined }) {
  const { t } = useText();
  const fetcher = useQuietFetcher();
  const { threadId, exchanges, others, limits } = assistant;
  const stream = useStreamedAnswer(assistant.asking, fetcher.submit);
  const asked = stream.question ?? fetcher.formData?.get('query');
  const [latest, ...earlier] = exchanges;
  return (
    <>
      <AskForm fetcher={fetcher} stream={assistant.hasModel ? stream : undefined} />
      <div aria-busy={Boolean(asked)} className="mt-5">
        {typeof asked === 'string' ? (
          <div className="border-t border-line py-4">
            <Question text={asked} />
            {stream.answer.sentences.length > 0 ? <AnswerText answer={stream.answer} lang={lang} /> : null}
            <p className="mt-2 text-muted">{t('learning.assistant_working')}</p>
          </div>
        ) : null}
        {latest ? <Answered exchange={latest} lang={lang} /> : null}
        {earlier.length > 0 ? (
          <details className="border-t border-line py-1">
            <summary className="link flex min-h-11 items-center text-sm">
              {t('learning.assistant_earlier', { count: earlier.length })}
            </summary>
            {earlier.map((exchange) => (
              <Answered key={exchange.askedAt} exchange={exchange} lang={lang} />
            ))}
          </details>
        ) : null}
      </div>
      <p className="border-t border-line pt-3 text-sm text-muted">
        {t('learning.assistant_limits', { count: limits.hourly, days: limits.days })}
      </p>
      {threadId ? <Forget threadId={threadId} /> : null}
      <Others others={others} />
    </>
  );
}

type AskFormProps = {
  fetcher: ReturnType<typeof useQuietFetcher>;
  /** The stream, when answers are streamed. */
  stream: ReturnType<typeof useStreamedAnswer> | undefined;
};

function AskForm({ fetcher, stream }: AskFormProps) {
  const { t } = useText();
  const form = useRef<HTMLFormElement>(null);
  const answer = useFormState();
  const state = asFormState(fetcher.data) ?? (answer?.values?.['intent'] === 'ask' ? answer : undefined);
  const said = answerOf(fetcher.data);
  const streamed = stream?.said;
  useEffect(() => {
    if (said === undefined) return;
    form.current?.reset();
    announce(said);
  }, [said, fetcher.data]); // once per answer, even when the text is the same
  useEffect(() => {
    if (!streamed) return;
    form.current?.reset();
    announce(streamed.answer);
  }, [streamed]);
  function send(event: FormEvent<HTMLFormElement>) {
    const fields = new FormData(event.currentTarget);
    const query = String(fields.get('query') ?? '').trim();
    if (!stream || query === '') return fetcher.send(event);
    event.preventDefault();
    if (fetcher.state !== 'idle' || stream.question !== undefined || fetcher.hold(event)) return;
    void stream.ask(query, fields);
  }
  return (
    <form ref={form} method="post" onSubmit={send} className="mt-4" noValidate>
      {state ? <ErrorSummary state={state} prefix="ask-" /> : null}
      {fetcher.isMissing ? <NeedsNetwork /> : null}
      <input type="hidden" name="intent" value="ask" />
      <TextArea
        name="query"
        id="ask-query"
        label={t('learning.assistant_label')}
        className="[&_textarea]:min-h-20"
        dir="auto"
        rows={2}
        maxLength={2000}
        defaultValue={state?.values?.['query']}
        error={state?.issues[0]?.message}
        required
      />
      <Button isBusy={fetcher.state !== 'idle' || stream?.question !== undefined} className="mt-2">
        {t('learning.assistant_send')}
      </Button>
    </form>
  );
}

function answerOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('answer' in answer)) return undefined;
  return typeof answer.answer === 'string' ? answer.answer : undefined;
}

function Question({ text }: { text: string }) {
  const { t } = useText();
  return (
    <h3 className="font-sans text-base font-semibold">
      <span className="sr-only">{t('learning.assistant_asked')} </span>
      <bdi>{text}</bdi>
    </h3>
  );
}

function Answered({ exchange, lang }: { exchange: Exchange; lang: string | undefined }) {
  return (
    <div className="border-t border-line py-4">
      <Question text={exchange.question} />
      <AnswerText answer={exchange.answer} lang={lang} />
    </div>
  );
}

function Forget({ threadId }: { threadId: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('forget');
  return (
    <details className="mt-1">
      <summary className="link inline-flex min-h-9 items-center text-sm">{t('learning.assistant_delete')}</summary>
      <SmartForm intent="forget" className="pt-1 pb-3">
        <input type="hidden" name="thread" value={threadId} />
        <p className="mb-3 text-sm">{t('learning.assistant_delete_text')}</p>
        <Button look="danger" small isBusy={isSubmitting}>
          {t('learning.delete_now')}
        </Button>
      </SmartForm>
    </details>
  );
}

function Others({ others }: { others: OtherThread[] | null }) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  if (others) query.delete('questions');
  else query.set('questions', 'all');
  return (
    <>
      <Link
        to={`${pathname}?${query}#assistant`}
        preventScrollReset
        className="link inline-flex min-h-9 items-center text-sm"
      >
        {others ? t('learning.assistant_others_hide') : t('learning.assistant_others')}
      </Link>
      {others?.length === 0 ? (
        <p className="text-sm text-muted">{t('learning.assistant_others_none')}</p>
      ) : others ? (
        <ul aria-label={t('learning.assistant_others')} className="divide-y divide-line border-y border-line text-sm">
          {others.map((thread) => (
            <Other key={thread.id} thread={thread} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Other({ thread: { id, title, at } }: { thread: OtherThread }) {
  const { t } = useText();
  const intent = `forget-${id}`;
  const { isSubmitting } = useSubmitting(intent);
  return (
    <li className="flex items-center gap-2 py-1.5">
      <Link to={`${at}#assistant`} className="title-link min-w-0 flex-1 py-1" dir="auto">
        {title}
      </Link>
      <SmartForm intent={intent}>
        <input type="hidden" name="thread" value={id} />
        <Button look="quiet" small isBusy={isSubmitting}>
          {t('common.delete')}
          <span className="sr-only"> {title}</span>
        </Button>
      </SmartForm>
    </li>
  );
}
