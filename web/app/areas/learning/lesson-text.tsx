import { useEffect, useMemo, useRef, type FormEvent } from 'react';
import { useActionData, useFetcher } from 'react-router';
import { useText } from '../../text.tsx';
import { trustedHtml } from '../../trusted.ts';
import { BlockText } from '../../ui/block-text.tsx';
import { answerOf, resultHtml, withAnswer } from './quiz-result.ts';

type Props = { html: string; lang?: string };

/**
 * The text of a lesson. Its questions are plain forms in the server's HTML: without script the page comes back with the
 * result, with script the result appears in place.
 */
export function LessonText({ html, lang }: Props) {
  const words = useWords();
  const answered = answerOf(useActionData());
  const shown = useMemo(() => (answered ? withAnswer(html, answered, words) : html), [html, answered, words]);
  const { send } = useAnswers(html, words);
  return (
    <div onSubmit={send}>
      <BlockText html={shown} lang={lang} />
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
      partly: (right: number, total: number) => t('learning.quiz_partly', { right, total }),
      orderPartly: (right: number, total: number) => t('learning.quiz_order_partly', { right, total }),
      optionRight: t('learning.quiz_option_right'),
      compare: t('learning.quiz_compare'),
      optionWrong: t('learning.quiz_option_wrong'),
      offline: t('learning.needs_network'),
    }),
    [t, locale],
  );
}

/** Submits questions by script and writes each result into its form, where it is a live region. */
function useAnswers(html: string, words: ReturnType<typeof useWords>) {
  const fetcher = useFetcher<unknown>();
  const form = useRef<HTMLFormElement | null>(null);
  const answer = fetcher.state === 'idle' ? answerOf(fetcher.data) : undefined;
  useEffect(() => {
    if (answer) write(form.current, resultHtml(html, answer, words));
  }, [answer]); // once per answer
  function send(event: FormEvent) {
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || !target.matches('form.quiz')) return;
    event.preventDefault();
    if (fetcher.state !== 'idle') return;
    form.current = target;
    if (!navigator.onLine) {
      const unsent = { quiz: '', choice: [], text: '', places: [], gaps: [], problem: words.offline };
      write(target, resultHtml(html, unsent, words));
    } else void fetcher.submit(new FormData(target), { method: 'post' });
  }
  return { send };
}

function write(form: HTMLFormElement | null, html: string) {
  const result = form?.querySelector<HTMLElement>('.quiz-result');
  if (result) result.innerHTML = trustedHtml(html);
}
