import { CornerDownRight } from 'lucide-react';
import { useId, type MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Answer, Passage, Sentence } from './assistant.load.ts';
import { LESSON_TEXT } from './learner.ts';
import { showPassage } from './show-passage.ts';

type Props = {
  answer: Answer;
  /** Language of the lesson when it differs from the page's. */
  lang: string | undefined;
};

/** Sentences with their numbered passages, or the passages alone. */
export function AnswerText({ answer: { passages, sentences, isFallback }, lang }: Props) {
  const { t } = useText();
  const id = useId();
  const isWorded = sentences.length > 0;
  return (
    <>
      {isFallback ? <p className="mt-2 text-sm text-muted">{t('learning.assistant_fallback')}</p> : null}
      {isWorded ? <Sentences sentences={sentences} id={id} /> : null}
      <ol
        aria-label={isWorded ? t('learning.assistant_references') : undefined}
        className={isWorded ? 'mt-3 space-y-3 border-t border-line pt-3 text-sm' : 'mt-2 space-y-3'}
      >
        {passages.map((passage, index) => (
          <li
            key={index}
            id={isWorded ? `${id}-${index + 1}` : undefined}
            tabIndex={isWorded ? -1 : undefined}
            className={isWorded ? 'flex scroll-mt-28 gap-2' : undefined}
          >
            {isWorded ? (
              <span aria-hidden="true" className="min-w-5 font-semibold text-accent tabular-nums">
                {index + 1}
              </span>
            ) : null}
            <div className="min-w-0">
              <Quotation passage={passage} lang={lang} />
            </div>
          </li>
        ))}
      </ol>
      {isWorded ? <p className="mt-3 text-sm text-muted">{t('learning.assistant_by_model')}</p> : null}
    </>
  );
}

function Sentences({ sentences, id }: { sentences: Sentence[]; id: string }) {
  const { t } = useText();
  return (
    <p className="mt-2" dir="auto">
      {sentences.map(({ text, numbers }, index) => (
        <span key={index}>
          {text}
          {numbers.map((number) => (
            <a
              key={number}
              href={`#${id}-${number}`}
              onClick={(event) => goTo(event, `${id}-${number}`)}
              aria-label={t('learning.assistant_reference', { number })}
              className="link ms-0.5 px-0.5 align-super text-xs leading-none font-semibold no-underline"
            >
              {number}
            </a>
          ))}{' '}
        </span>
      ))}
    </p>
  );
}

/** Scrolls without adding a history entry. */
function goTo(event: MouseEvent, id: string) {
  const target = document.getElementById(id);
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  target.focus();
}

function Quotation({ passage: { text, place }, lang }: { passage: Passage; lang: string | undefined }) {
  const { t } = useText();
  if (!place)
    return (
      <p className="whitespace-pre-line text-muted" dir="auto">
        {text}
      </p>
    );
  return (
    <>
      <blockquote lang={lang} dir="auto" className="border-s-3 border-accent ps-3 font-serif whitespace-pre-line">
        {text}
      </blockquote>
      {'href' in place ? (
        <Link to={place.href} className="link mt-1 inline-flex min-h-9 items-center gap-1.5 ps-3 text-sm">
          <Icon as={CornerDownRight} size={16} directional />
          {t('learning.assistant_elsewhere', { title: isolated(place.title) })}
        </Link>
      ) : (
        <ShowHere text={text} anchor={place.anchor} />
      )}
    </>
  );
}

/** Isolates a title, which may run in the other direction than its sentence. */
const isolated = (title: string) => `\u2068${title}\u2069`;

function ShowHere({ text, anchor }: { text: string; anchor: string | null }) {
  const { t } = useText();
  const { search } = useLocation();
  const navigate = useNavigate();
  const place = `#${anchor ?? LESSON_TEXT}`;
  function show(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !showPassage(text)) return;
    event.preventDefault();
    // Adds a history entry, so that Back returns to the answer.
    void navigate(search + place, { preventScrollReset: true });
  }
  return (
    <a href={search + place} onClick={show} className="link mt-1 inline-flex min-h-9 items-center gap-1.5 ps-3 text-sm">
      <Icon as={CornerDownRight} size={16} directional />
      {t('learning.assistant_show')}
    </a>
  );
}
