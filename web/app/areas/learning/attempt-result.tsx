import { CircleCheck, CircleX } from 'lucide-react';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { StartAttempt } from './assessment.tsx';
import type { Attempt, AttemptQuestion } from './attempt.ts';
import { OptionText, QuestionText } from './attempt-question.tsx';
import { certificatePath, lessonPath, type LessonReply } from './learner.ts';

type Props = Pick<LessonReply, 'course' | 'lesson'> & {
  journey: { slug: string; isWhole: boolean };
  attempt: Attempt;
};

/** The result of an attempt, with what the review shows. */
export function AttemptResult({ course, journey, lesson, attempt }: Props) {
  const { t, number } = useText();
  const percent = (value: number) => number(value / 100, { style: 'percent' });
  const isPassed = attempt.passed === true;
  const score = percent(attempt.score ?? 0);
  return (
    <>
      <div className="mt-4">
        <Notice tone={isPassed ? 'success' : 'danger'} title={t(isPassed ? 'assessment.passed' : 'assessment.failed')}>
          {t('assessment.score', { score, mark: percent(attempt.passMark) })}
        </Notice>
      </div>
      <div className="mt-6 flex flex-wrap items-center gap-3">
        {isPassed && journey.isWhole ? (
          <LinkButton to={certificatePath(course.slug, journey.slug)}>{t('learning.certificate_get')}</LinkButton>
        ) : null}
        {isPassed && !journey.isWhole && lesson.next ? (
          <LinkButton to={lessonPath(course.slug, journey.slug, lesson.next.slug)}>
            {t('learning.following_go', { title: lesson.next.title })}
          </LinkButton>
        ) : null}
        {isPassed || !lesson.assessment ? null : (
          <StartAttempt
            action={lessonPath(course.slug, journey.slug, lesson.slug)}
            assessment={lesson.assessment}
            label={t('assessment.again')}
          />
        )}
        <LinkButton to={lessonPath(course.slug, journey.slug, lesson.slug)} look="secondary">
          {t('assessment.back')}
        </LinkButton>
      </div>
      {attempt.questions.length > 0 ? (
        <ol className="mt-8 grid gap-8">
          {attempt.questions.map((question) => (
            <li key={question.number} className="quiz-card">
              <QuestionResult question={question} total={attempt.questions.length} lang={attempt.locale} />
            </li>
          ))}
        </ol>
      ) : null}
    </>
  );
}

function QuestionResult({ question, total, lang }: { question: AttemptQuestion; total: number; lang: string }) {
  const { t } = useText();
  const { answer } = question;
  const isTyped = question.type === 'number' || question.type === 'text';
  const isEmpty = answer.choice.length === 0 && answer.text === '';
  return (
    <>
      <h2 className="text-base font-semibold text-muted">
        {t('assessment.question_of', { number: question.number, total })}
      </h2>
      <QuestionText question={question} lang={lang} />
      <p className={`mt-2 flex items-center gap-2 font-semibold ${question.correct ? 'text-success' : 'text-danger'}`}>
        <Icon as={question.correct ? CircleCheck : CircleX} />
        {t(question.correct ? 'learning.quiz_option_right' : 'learning.quiz_option_wrong')}
      </p>
      {isEmpty ? <p className="text-muted">{t('assessment.unanswered')}</p> : null}
      {isTyped && !isEmpty ? (
        <p>
          {t('assessment.your_answer')}: <bdi lang={lang}>{answer.text}</bdi>
        </p>
      ) : null}
      {question.rightAnswer === null ? null : (
        <p>
          {t('assessment.right_answer')}: <bdi lang={lang}>{question.rightAnswer.replaceAll('|', ' / ')}</bdi>
        </p>
      )}
      {isTyped ? null : <OptionResults question={question} lang={lang} />}
      {question.feedbackHtml ? <RichText html={question.feedbackHtml} lang={lang} isCompact className="mt-2" /> : null}
    </>
  );
}

function OptionResults({ question, lang }: { question: AttemptQuestion; lang: string }) {
  const { t } = useText();
  return (
    <ul className="mt-2 grid gap-2">
      {question.options.map((option, at) => {
        const isChosen = question.answer.choice.includes(at + 1);
        const marks = [
          ...(isChosen ? [t('assessment.your_answer')] : []),
          ...(option.correct ? [t('assessment.right_answer')] : []),
        ];
        return (
          <li key={at} className="border-s-4 border-line ps-3">
            <OptionText question={question} html={option.html} at={at} lang={lang} />
            {marks.length > 0 ? <span className="ms-2 text-sm font-semibold">({marks.join(' · ')})</span> : null}
            {option.feedbackHtml ? <RichText html={option.feedbackHtml} lang={lang} isCompact /> : null}
          </li>
        );
      })}
    </ul>
  );
}
