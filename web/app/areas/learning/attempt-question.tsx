import { useEffect, useId, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { useText } from '../../text.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import {
  choiceName,
  gapName,
  isPlaced,
  placeName,
  textName,
  type AttemptQuestion,
  type SaveResult,
} from './attempt.ts';
import { GapFields } from './attempt-gaps.tsx';
import { OpenField } from './attempt-open.tsx';
import { PlaceFields } from './attempt-places.tsx';

type Props = { question: AttemptQuestion; total: number; lang: string };

/** A question of an open attempt. With script it saves its answer on each change and says so. */
export function QuestionFields({ question, total, lang }: Props) {
  const { t } = useText();
  const { box, save, state } = useSaving(question.number);
  const id = useId();
  const isTyped = question.type === 'number' || question.type === 'text';
  const isOpen = question.type === 'open';
  const hasOptions = !isTyped && !isOpen && !isPlaced(question) && question.type !== 'gaps';
  const role = !hasOptions || question.multiple ? 'group' : 'radiogroup';
  return (
    <div
      ref={box}
      role={role}
      aria-labelledby={`${id}-number ${id}-question`}
      onChange={() => save(isTyped || isOpen || question.type === 'ordering' || question.type === 'gaps')}
      className="quiz-card"
    >
      <h2 id={`${id}-number`} className="text-base font-semibold text-muted">
        {t('assessment.question_of', { number: question.number, total })}
        {question.points > 1 ? ` · ${t('assessment.points', { count: question.points })}` : null}
      </h2>
      <QuestionText id={`${id}-question`} question={question} lang={lang} />
      {isPlaced(question) ? <PlaceFields question={question} lang={lang} /> : null}
      {question.type === 'gaps' ? <GapFields question={question} lang={lang} /> : null}
      {isOpen ? <OpenField question={question} lang={lang} describedBy={`${id}-question`} /> : null}
      {isTyped ? (
        <label className="mt-3 block">
          <span>{t('content.quiz_answer')}</span>
          <input
            name={textName(question.number)}
            defaultValue={question.answer.text}
            className="input mt-1 max-w-sm"
            maxLength={500}
            autoComplete="off"
            inputMode={question.type === 'number' ? 'decimal' : undefined}
            dir="auto"
            lang={lang}
            aria-describedby={`${id}-question`}
          />
        </label>
      ) : null}
      {hasOptions ? <Options question={question} lang={lang} /> : null}
      {question.hint === null ? null : (
        <details className="mt-2">
          <summary className="link inline-block min-h-11 cursor-pointer py-2">{t('content.quiz_hint')}</summary>
          <p lang={lang} dir="auto">
            {question.hint}
          </p>
        </details>
      )}
      <p role="status" className="min-h-6 text-sm text-muted">
        <Saved state={state} />
      </p>
    </div>
  );
}

export function QuestionText({ id, question, lang }: { id?: string; question: AttemptQuestion; lang: string }) {
  return (
    <>
      <div id={id} className="mt-1 font-semibold">
        <RichText html={question.questionHtml} lang={lang} isCompact />
      </div>
      {question.moreHtml ? <RichText html={question.moreHtml} lang={lang} isCompact className="mt-2" /> : null}
    </>
  );
}

function Options({ question, lang }: Omit<Props, 'total'>) {
  const { t } = useText();
  return (
    <>
      <p className="mt-2 text-sm text-muted">{t(question.multiple ? 'content.quiz_many' : 'content.quiz_one')}</p>
      {question.options.map(({ html }, at) => (
        <label key={at} className="flex min-h-11 items-start gap-3 py-2">
          <input
            type={question.multiple ? 'checkbox' : 'radio'}
            name={choiceName(question.number)}
            value={at + 1}
            defaultChecked={question.answer.choice.includes(at + 1)}
            className="choice"
          />
          <OptionText question={question} html={html} at={at} lang={lang} />
        </label>
      ))}
    </>
  );
}

/** The options of a true-or-false question are words of the page. */
export function OptionText({
  question,
  html,
  at,
  lang,
}: {
  question: AttemptQuestion;
  html: string;
  at: number;
  lang: string;
}) {
  const { t } = useText();
  if (question.type === 'true-false') return <span>{t(at === 0 ? 'content.quiz_true' : 'content.quiz_false')}</span>;
  return <RichText html={html} lang={lang} isCompact isInline />;
}

type SaveState = { kind: 'idle' | 'saving' | 'saved' | 'offline' } | { kind: 'problem'; message: string };

function Saved({ state }: { state: SaveState }) {
  const { t } = useText();
  switch (state.kind) {
    case 'idle':
      return null;
    case 'saving':
      return <>{t('assessment.saving')}</>;
    case 'saved':
      return <>{t('assessment.saved')}</>;
    case 'offline':
      return <>{t('assessment.offline')}</>;
    case 'problem':
      return <span className="text-danger">{state.message}</span>;
  }
}

const OFFLINE: SaveState = { kind: 'offline' };
const TYPING_MS = 700;
const RETRY_MS = 5_000;

/** Saves the answer of one question; after a failure of the network until it is saved. */
function useSaving(number: number) {
  const fetcher = useFetcher<SaveResult>();
  const box = useRef<HTMLDivElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isHeld, setHeld] = useState(false);
  function send() {
    const form = box.current?.closest('form');
    if (!form) return;
    setHeld(!navigator.onLine);
    if (!navigator.onLine) return;
    const fields = new FormData(form);
    const own = new FormData();
    own.set('intent', 'answer');
    own.set('number', String(number));
    for (const name of [choiceName(number), textName(number), placeName(number), gapName(number)])
      for (const value of fields.getAll(name)) own.append(name, value);
    void fetcher.submit(own, { method: 'post' });
  }
  const latest = useRef(send);
  latest.current = send;
  const { data } = fetcher;
  const isOffline = isHeld || (fetcher.state === 'idle' && data !== undefined && 'isOffline' in data);
  useEffect(() => {
    if (!isOffline) return undefined;
    const again = () => latest.current();
    const timer = setTimeout(again, RETRY_MS);
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [isOffline, data]);
  useEffect(() => () => clearTimeout(typing.current), []);
  function save(isTyped: boolean) {
    clearTimeout(typing.current);
    if (isTyped) typing.current = setTimeout(() => latest.current(), TYPING_MS);
    else send();
  }
  return { box, save, state: isHeld ? OFFLINE : stateOf(fetcher.state === 'idle', data) };
}

function stateOf(isIdle: boolean, data: SaveResult | undefined): SaveState {
  if (data && 'isOffline' in data) return OFFLINE;
  if (!isIdle) return { kind: 'saving' };
  if (!data) return { kind: 'idle' };
  return 'saved' in data ? { kind: 'saved' } : { kind: 'problem', message: data.problem };
}
