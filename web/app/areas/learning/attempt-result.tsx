import { CircleCheck, CircleX } from 'lucide-react';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { StartAttempt } from './assessment.tsx';
import { isPlaced, type Attempt, type AttemptQuestion } from './attempt.ts';
import { GapResults } from './attempt-gaps.tsx';
import { OpenResult } from './attempt-open.tsx';
import { PlaceResults } from './attempt-places.tsx';
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
        {attempt.passed === null ? (
          <Notice title={t('assessment.waits_title')}>{t('assessment.waits_text')}</Notice>
        ) : (
          <Notice
            tone={isPassed ? 'success' : 'danger'}
            title={t(isPassed ? 'assessment.passed' : 'assessment.failed')}
          >
            {t('assessment.score', { score, mark: percent(attempt.passMark) })}
          </Notice>
        )}
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
  return (
    <>
      <h2 className="text-base font-semibold text-muted">
        {t('assessment.question_of', { number: question.number, total })}
      </h2>
      <QuestionText question={question} lang={lang} />
      {question.type === 'open' ? (
        <OpenResult question={question} lang={lang} />
      ) : (
        <KnownResult question={question} lang={lang} />
      )}
    </>
  );
}

/** The result of a question that the server marks. */
function KnownResult({ question, lang }: { question: AttemptQuestion; lang: string }) {
  const { t, number } = useText();
  const { answer } = question;
  const isTyped = question.type === 'number' || question.type === 'text';
  const isEmpty =
    answer.choice.length === 0 && answer.text === '' && !answer.places.some(Boolean) && !answer.gaps.some(Boolean);
  const hasOptions = !isTyped && !isPlaced(question) && question.type !== 'gaps';
  return (
    <>
      <p className={`mt-2 flex items-center gap-2 font-semibold ${question.correct ? 'text-success' : 'text-danger'}`}>
        <Icon as={question.correct ? CircleCheck : CircleX} />
        {t(question.correct ? 'learning.quiz_option_right' : 'learning.quiz_option_wrong')}
        {question.points > 1 && question.earned !== null
          ? ` · ${t('assessment.points_of', { earned: number(question.earned), points: number(question.points) })}`
          : null}
      </p>
      <PartsRight question={question} />
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
      {isPlaced(question) ? <PlaceResults question={question} lang={lang} /> : null}
      {question.type === 'gaps' ? <GapResults question={question} lang={lang} /> : null}
      {hasOptions ? <OptionResults question={question} lang={lang} /> : null}
      {question.feedbackHtml ? <RichText html={question.feedbackHtml} lang={lang} isCompact className="mt-2" /> : null}
    </>
  );
}

/** The right parts of an answer that is not right as a whole. */
function PartsRight({ question: { type, correct, right, total } }: { question: AttemptQuestion }) {
  const { t } = useText();
  if (correct || right === null || total === null || total < 2) return null;
  return <p>{t(type === 'ordering' ? 'learning.quiz_order_partly' : 'learning.quiz_partly', { right, total })}</p>;
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
