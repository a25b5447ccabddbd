import { useEffect, useRef, useState } from 'react';
import { useActionData } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import type { Attempt } from './attempt.ts';
import { QuestionFields } from './attempt-question.tsx';
import { useNetwork, NeedsNetwork } from './network.tsx';

const SUBMIT = 'submit-attempt';
const submitNow = () => document.getElementById(SUBMIT)?.click();

/** All questions of an open attempt in one form. With script, each answer also saves itself. */
export function AttemptForm({ attempt }: { attempt: Attempt }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const { isMissing, hold } = useNetwork();
  const answer: unknown = useActionData();
  const isOffline = isMissing || (typeof answer === 'object' && answer !== null && 'isOffline' in answer);
  return (
    <>
      {attempt.dueAt && attempt.secondsLeft !== null ? (
        <TimeLeft dueAt={attempt.dueAt} seconds={attempt.secondsLeft} onEnd={submitNow} />
      ) : null}
      <p className="mt-2 text-muted">{t('assessment.save_hint')}</p>
      <SmartForm refusalsOf={/^(save|submit)$/} onSubmit={hold} className="mt-6 grid gap-8">
        <input type="hidden" name="count" value={attempt.questions.length} />
        {attempt.questions.map((question) => (
          <QuestionFields
            key={question.number}
            question={question}
            total={attempt.questions.length}
            lang={attempt.locale}
          />
        ))}
        {isOffline ? <NeedsNetwork /> : null}
        <div className="flex flex-wrap gap-3 border-t-2 border-ink pt-6">
          {/* The Enter key presses the first button, which must not end the attempt. */}
          <Button name="intent" value="save" look="secondary" isBusy={isSubmitting} className="max-sm:w-full">
            {t('assessment.save')}
          </Button>
          <Button id={SUBMIT} name="intent" value="submit" isBusy={isSubmitting} className="px-6 max-sm:w-full">
            {t('assessment.submit')}
          </Button>
        </div>
      </SmartForm>
    </>
  );
}

/** Minutes left at which assistive technology is told. */
const ANNOUNCED = [30, 10, 5, 1];

/** The time left of a timed attempt, which is submitted when it is over. */
function TimeLeft({ dueAt, seconds, onEnd }: { dueAt: string; seconds: number; onEnd: () => void }) {
  const { t, rich } = useText();
  const [left, setLeft] = useState(seconds);
  const [announced, setAnnounced] = useState<number>();
  const end = useRef(onEnd);
  useEffect(() => {
    // Counted from the moment of display, because the clock of the device may be wrong.
    const start = performance.now();
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil(seconds - (performance.now() - start) / 1000));
      setLeft(now);
      if (now % 60 === 0 && ANNOUNCED.includes(now / 60)) setAnnounced(now / 60);
      if (now > 0) return;
      clearInterval(timer);
      end.current();
    }, 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  const minutes = Math.ceil(left / 60);
  return (
    <div className="mt-4">
      <Notice title={t('assessment.minutes_left', { minutes })}>
        {rich('assessment.timed_until', { time: <Time value={dueAt} look="exact" /> })}
      </Notice>
      <p role="status" className="sr-only">
        {announced === undefined ? '' : t('assessment.minutes_left', { minutes: announced })}
      </p>
    </div>
  );
}
