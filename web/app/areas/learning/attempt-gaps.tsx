import { useText } from '../../text.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { gapName, type AttemptQuestion } from './attempt.ts';

type Props = { question: AttemptQuestion; lang: string };

/** A field for each gap, named as the text names it. */
export function GapFields({ question, lang }: Props) {
  const { t } = useText();
  return (
    <>
      <p className="mt-2 text-sm text-muted">{t('content.quiz_gaps')}</p>
      {question.prompts.map(({ html }, at) => (
        <label key={at} className="mt-3 block">
          <span>
            {t('content.quiz_gap')} {html}
          </span>
          <input
            name={gapName(question.number)}
            defaultValue={question.answer.gaps[at] ?? ''}
            className="input mt-1 max-w-sm"
            maxLength={500}
            autoComplete="off"
            dir="auto"
            lang={lang}
          />
        </label>
      ))}
    </>
  );
}

/** The person's answer in each gap, with the feedback that the review shows. */
export function GapResults({ question, lang }: Props) {
  const { t } = useText();
  return (
    <ul className="mt-2 grid gap-2">
      {question.prompts.map(({ html, correct, feedbackHtml }, at) => (
        <li key={at} className="border-s-4 border-line ps-3">
          {html} <bdi lang={lang}>{question.answer.gaps[at] || t('assessment.unanswered')}</bdi>{' '}
          <span className="text-sm font-semibold">
            ({t(correct ? 'learning.quiz_option_right' : 'learning.quiz_option_wrong')})
          </span>
          {feedbackHtml ? <RichText html={feedbackHtml} lang={lang} isCompact /> : null}
        </li>
      ))}
    </ul>
  );
}
