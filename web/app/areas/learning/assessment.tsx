import { Form, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { attemptPath } from './attempt.ts';
import type { LessonReply } from './learner.ts';

type Assessment = NonNullable<LessonReply['lesson']['assessment']>;

/** Says what the assessment of a lesson asks for, and starts or continues an attempt. */
export function AssessmentPanel({ course, journey, lesson }: Pick<LessonReply, 'course' | 'journey' | 'lesson'>) {
  const { t, number } = useText();
  const { assessment } = lesson;
  if (!assessment) return null;
  const percent = (value: number) => number(value / 100, { style: 'percent' });
  const { best, attempts, attemptsUsed, minutes, lastAttempt, openAttempt, waits } = assessment;
  const pathOf = (id: string) => attemptPath(course.slug, journey.slug, lesson.slug, id);
  const facts = [
    t('assessment.questions', { count: assessment.questions }),
    t('assessment.pass_mark', { mark: percent(assessment.passMark) }),
    ...(minutes === null ? [] : [t('assessment.timed', { minutes })]),
    attempts === null
      ? t('assessment.attempts_any')
      : t('assessment.attempts_left', { count: Math.max(0, attempts - attemptsUsed), attempts }),
    ...(waits ? [t('assessment.waits_title')] : []),
    ...(best === null ? [] : [t('assessment.best', { score: percent(best) })]),
  ];
  const isLearner = journey.enrolment?.status === 'enrolled';
  return (
    <section aria-labelledby="assessment" className="no-print mt-10 rounded border border-line bg-card p-5 sm:p-6">
      <h2 id="assessment" className="text-2xl">
        {t('assessment.title')}
      </h2>
      <ul className="mt-3 list-disc ps-5">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <div className="needs-network mt-4 flex flex-wrap items-center gap-3">
        {isLearner && openAttempt ? <LinkButton to={pathOf(openAttempt)}>{t('assessment.continue')}</LinkButton> : null}
        {isLearner && !openAttempt ? (
          <StartAttempt assessment={assessment} label={t(attemptsUsed > 0 ? 'assessment.again' : 'assessment.start')} />
        ) : null}
        {isLearner && lastAttempt && !openAttempt ? (
          <Link to={pathOf(lastAttempt)} className="link inline-flex min-h-11 items-center">
            {t(waits ? 'assessment.waits_see' : 'assessment.last_result')}
          </Link>
        ) : null}
      </div>
    </section>
  );
}

type StartProps = { assessment: Assessment; label: string; action?: string };

/** The button that starts an attempt, while the person has one left and has not passed. */
export function StartAttempt({ assessment, label, action }: StartProps) {
  const { attempts, attemptsUsed, passed, waits } = assessment;
  if (passed || waits || (attempts !== null && attemptsUsed >= attempts)) return null;
  return (
    <Form method="post" action={action}>
      <Button name="intent" value="start-attempt">
        {label}
      </Button>
    </Form>
  );
}
