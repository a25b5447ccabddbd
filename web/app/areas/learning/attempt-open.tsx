import { MAX_OPEN_ANSWER } from '@officium/contract/answers';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { wordsIn } from '../../ui/words-in.ts';
import { textName, type AttemptQuestion } from './attempt.ts';

type Props = { question: AttemptQuestion; lang: string };

/** The text of an open answer. With script it counts the words. */
export function OpenField({ question, lang, describedBy }: Props & { describedBy: string }) {
  const { t } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  // Counted in the browser only: servers and browsers may divide words differently.
  const [words, setWords] = useState(0);
  const count = () => setWords(wordsIn(field.current?.value ?? '', lang));
  useEffect(count, [lang]);
  const limitId = `${textName(question.number)}-words`;
  return (
    <>
      <label className="mt-3 block">
        <span>{t('content.quiz_answer')}</span>
        <textarea
          ref={field}
          name={textName(question.number)}
          defaultValue={question.answer.text}
          onChange={count}
          className="input field-sizing-content mt-1 min-h-48"
          rows={8}
          maxLength={MAX_OPEN_ANSWER}
          dir="auto"
          lang={lang}
          aria-describedby={question.words === null ? describedBy : `${describedBy} ${limitId}`}
        />
      </label>
      <p id={limitId} className="mt-1 text-sm text-muted">
        {question.words === null ? null : t('content.quiz_words', { count: question.words })}{' '}
        {words > 0 ? t('assessment.words_count', { count: words }) : null}
      </p>
    </>
  );
}

/** An open answer with its points, criteria and comment once it is marked, and the model answer that the review shows. */
export function OpenResult({ question, lang }: Props) {
  const { t, number } = useText();
  const { answer, earned, points, criteria, comment, feedbackHtml } = question;
  const pointsOf = (own: number, most: number) =>
    t('assessment.points_of', { earned: number(own), points: number(most) });
  return (
    <>
      <p className="mt-2 font-semibold">{earned === null ? t('assessment.waits_title') : pointsOf(earned, points)}</p>
      {answer.text === '' ? (
        <p className="text-muted">{t('assessment.unanswered')}</p>
      ) : (
        <>
          <p className="mt-2">{t('assessment.your_answer')}:</p>
          <p className="border-s-4 border-line ps-3 whitespace-pre-line wrap-anywhere" dir="auto" lang={lang}>
            {answer.text}
          </p>
        </>
      )}
      {criteria.length > 0 && answer.text !== '' ? (
        <ul className="mt-3 grid gap-2">
          {criteria.map((criterion, at) => (
            <li key={at} className="border-s-4 border-line ps-3">
              <RichText html={criterion.html} lang={lang} isCompact isInline />
              <p className="text-sm font-semibold">{pointsOf(criterion.earned, criterion.points)}</p>
            </li>
          ))}
        </ul>
      ) : null}
      {comment === null ? null : <Remark title={t('assessment.comment')}>{comment}</Remark>}
      {feedbackHtml ? (
        <>
          <h3 className="mt-3 text-base font-semibold">{t('assessment.model_answer')}</h3>
          <RichText html={feedbackHtml} lang={lang} isCompact />
        </>
      ) : null}
    </>
  );
}

function Remark({ title, children }: { title: string; children: string }) {
  return (
    <>
      <h3 className="mt-3 text-base font-semibold">{title}</h3>
      <p className="whitespace-pre-line wrap-anywhere" dir="auto">
        {children}
      </p>
    </>
  );
}
