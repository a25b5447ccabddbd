import { useEffect, useMemo, useRef, type FormEvent } from 'react';
import { useActionData, useFetcher } from 'react-router';
import { useText } from '../../text.tsx';
import { trustedHtml } from '../../trusted.ts';
import { RichText } from '../../ui/rich-text.tsx';
import { answerOf, resultHtml, withAnswer, type QuizAnswer } from './quiz-result.ts';

type Props = { html: string; lang?: string };

/**
 * The text of a lesson. Its questions are plain forms in the server's HTML: without script the page comes back with the
 * result, with script the result appears in place.
 */
export function LessonText({ html, lang }: Props) {
  const words = useWords();
  const answered = answerOf(useActionData());
  const shown = useMemo(() => (answered ? withAnswer(html, answered, words) : html), [html, answered, words]);
  const { send } = useAnswers(words);
  return (
    <div onSubmit={send}>
      <RichText html={shown} lang={lang} />
    </div>
  );
}

function useWords() {
  const { t, locale } = useText();
  return useMemo(
    () => ({
      locale,
      right: t('learning.quiz_right'),
      wrong: t('learning.quiz_wrong'),
      optionRight: t('learning.quiz_option_right'),
      optionWrong: t('learning.quiz_option_wrong'),
      offline: t('learning.needs_network'),
    }),
    [t, locale],
  );
}

/** Submits questions by script and writes each result into its form, where it is a live region. */
function useAnswers(words: ReturnType<typeof useWords>) {
  const fetcher = useFetcher<unknown>();
  const form = useRef<HTMLFormElement | null>(null);
  const answer = fetcher.state === 'idle' ? answerOf(fetcher.data) : undefined;
  useEffect(() => {
    if (answer) write(form.current, answer, words);
  }, [answer]); // once per answer
  function send(event: FormEvent) {
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || !target.matches('form.quiz')) return;
    event.preventDefault();
    if (fetcher.state !== 'idle') return;
    form.current = target;
    if (!navigator.onLine) write(target, { quiz: '', choice: [], text: '', problem: words.offline }, words);
    else void fetcher.submit(new FormData(target), { method: 'post' });
  }
  return { send };
}

function write(form: HTMLFormElement | null, answer: QuizAnswer, words: ReturnType<typeof useWords>) {
  const result = form?.querySelector<HTMLElement>('.quiz-result');
  if (form && result) result.innerHTML = trustedHtml(resultHtml(form.innerHTML, answer, words));
}
