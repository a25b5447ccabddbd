import { useText } from '../../text.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { RichText } from '../../ui/rich-text.tsx';
import { placeName, type AttemptQuestion } from './attempt.ts';

type Props = { question: AttemptQuestion; lang: string };

/** A select for each text to match, or a number for each item to order. */
export function PlaceFields({ question, lang }: Props) {
  const { t } = useText();
  const isMatching = question.type === 'matching';
  return (
    <>
      <p className="mt-2 text-sm text-muted">{t(isMatching ? 'content.quiz_match' : 'content.quiz_order')}</p>
      {isMatching ? <MatchFields question={question} lang={lang} /> : <OrderFields question={question} lang={lang} />}
    </>
  );
}

function MatchFields({ question, lang }: Props) {
  const { t } = useText();
  const answers = question.options.map(({ html }) => nameOf(html));
  return question.prompts.map(({ html }, at) => (
    <label key={at} className="mt-3 grid items-center gap-x-4 gap-y-1 sm:grid-cols-2">
      <RichText html={html} lang={lang} isCompact isInline />
      <select
        name={placeName(question.number)}
        defaultValue={question.answer.places[at] || ''}
        className="input"
        lang={lang}
      >
        <option value="">{t('content.quiz_choose')}</option>
        {answers.map((name, nth) => (
          <option key={nth} value={nth + 1}>
            {name}
          </option>
        ))}
      </select>
    </label>
  ));
}

function OrderFields({ question, lang }: Props) {
  return question.options.map(({ html }, at) => (
    <label key={at} className="flex min-h-11 items-center gap-3 py-1">
      <input
        type="number"
        min={1}
        max={question.options.length}
        name={placeName(question.number)}
        defaultValue={question.answer.places[at] || ''}
        className="input max-w-20 shrink-0"
      />
      <RichText html={html} lang={lang} isCompact isInline />
    </label>
  ));
}

const MAX_NAME = 200;

/** An answer as a select shows it; a picture leaves its alternative text. */
function nameOf(html: string): string {
  return plainText(html.replace(/<img\b[^>]*\balt="([^"]*)"[^>]*>/g, '$1'), MAX_NAME);
}

/** Each text or item with the answer of the person and, if the review shows it, the right one. */
export function PlaceResults({ question, lang }: Props) {
  const { t, number } = useText();
  const { options, prompts, answer } = question;
  const isMatching = question.type === 'matching';
  const rows = isMatching ? prompts : options;
  const shown = (place: number | null | undefined) => {
    if (!place) return null;
    return isMatching ? (
      <RichText html={options[place - 1]?.html ?? ''} lang={lang} isCompact isInline />
    ) : (
      number(place)
    );
  };
  return (
    <ul className="mt-2 grid gap-2">
      {rows.map((row, at) => {
        const right = 'option' in row ? row.option : row.position;
        const given = answer.places[at];
        return (
          <li key={at} className="border-s-4 border-line ps-3">
            <RichText html={row.html} lang={lang} isCompact isInline />
            <p className="text-sm">
              {given ? t('assessment.your_answer') : t('assessment.unanswered')}
              {given ? <>: {shown(given)}</> : null}
            </p>
            {right ? (
              <p className="text-sm font-semibold">
                {t('assessment.right_answer')}: {shown(right)}
              </p>
            ) : null}
            {row.feedbackHtml ? <RichText html={row.feedbackHtml} lang={lang} isCompact /> : null}
          </li>
        );
      })}
    </ul>
  );
}
