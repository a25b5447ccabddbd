import { ArrowLeft, ArrowRight, CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { awaitsCertificate, certificatePath, isWhole, type LessonReply } from './learner.ts';
import { COMPLETE_FORM } from './lesson-keys.tsx';
import { NeedsNetwork, useNetwork } from './network.tsx';
import { Join } from './join.tsx';

type Props = Pick<LessonReply, 'course' | 'journey' | 'lesson'> & { previous: string | null; next: string | null };

/** The end of a lesson: the complete and continue buttons or, in a preview, how to join. */
export function LessonFoot({ course, journey, lesson, previous, next }: Props) {
  const { t } = useText();
  const isLearner = journey.enrolment?.status === 'enrolled';
  // Once completed, the button leads to the next lesson.
  const onward = isLearner && !lesson.completed ? next : null;
  return (
    <footer className="no-print mt-12 border-y-2 border-ink py-7">
      {isLearner ? (
        lesson.completed ? (
          <Done {...{ course, journey, lesson, next }} />
        ) : lesson.assessment && !lesson.assessment.passed ? (
          <p className="text-muted">{t('assessment.completes')}</p>
        ) : (
          <Complete journey={journey} lesson={lesson} />
        )
      ) : (
        <Preview course={course} journey={journey} lesson={lesson} />
      )}
      {previous || onward ? (
        <nav aria-label={t('learning.neighbours')} className="mt-6 flex flex-wrap justify-between gap-x-8 gap-y-2">
          {previous && lesson.previous ? (
            <Link to={previous} rel="prev" className="link inline-flex min-h-11 items-center gap-2">
              <Icon as={ArrowLeft} size={18} directional />
              <span>
                <span className="sr-only">{t('learning.previous_lesson')} </span>
                {lesson.previous.title}
              </span>
            </Link>
          ) : (
            <span />
          )}
          {onward && lesson.next ? (
            <Link
              to={onward}
              rel="next"
              prefetch="intent"
              className="link ms-auto inline-flex min-h-11 items-center gap-2 text-end"
            >
              <span>
                <span className="sr-only">{t('learning.following_lesson')} </span>
                {lesson.next.title}
              </span>
              <Icon as={ArrowRight} size={18} directional />
            </Link>
          ) : null}
        </nav>
      ) : null}
    </footer>
  );
}

function Complete({ journey, lesson }: Pick<Props, 'journey' | 'lesson'>) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('complete');
  const { isMissing, hold } = useNetwork();
  return (
    <SmartForm id={COMPLETE_FORM} intent="complete" onSubmit={hold} className="needs-network">
      {isMissing ? <NeedsNetwork /> : null}
      {isWhole(journey.enrolment?.completedAt, journey) ? <input type="hidden" name="wasDone" value="yes" /> : null}
      <Button isBusy={isSubmitting} className="px-6 max-sm:w-full">
        <Icon as={CircleCheck} />
        {lesson.next ? t('learning.complete_next') : t('learning.complete')}
      </Button>
    </SmartForm>
  );
}

function Done({ course, journey, lesson, next }: Omit<Props, 'previous'>) {
  const { t, rich } = useText();
  const isEarned = isWhole(journey.enrolment?.completedAt, journey) && awaitsCertificate(journey);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <p className="inline-flex items-center gap-2 text-success">
        <Icon as={CircleCheck} />
        <span>
          {lesson.completedAt
            ? rich('learning.lesson_done_on', { date: <Time value={lesson.completedAt} look="date" /> })
            : t('learning.lesson_done')}
        </span>
      </p>
      {isEarned ? (
        <LinkButton to={certificatePath(course.slug, journey.slug)}>{t('learning.certificate_get')}</LinkButton>
      ) : next && lesson.next ? (
        <LinkButton to={next} rel="next" prefetch="intent">
          {t('learning.following_go', { title: lesson.next.title })}
        </LinkButton>
      ) : (
        <LinkButton to={`/courses/${course.slug}`} look="secondary">
          {t('learning.back_to_course')}
        </LinkButton>
      )}
    </div>
  );
}

function Preview({ course, journey, lesson }: Pick<Props, 'course' | 'journey' | 'lesson'>) {
  const { t } = useText();
  return (
    <>
      <h2 className="text-2xl">{lesson.preview ? t('learning.preview_title') : t('learning.not_learning_title')}</h2>
      <p className="mt-1 text-muted">{t('learning.preview_text')}</p>
      <div className="mt-4 max-w-sm">
        <Join
          journey={journey}
          next={`/courses/${course.slug}`}
          label={t('learning.join_named', { title: journey.title })}
          place="lesson"
        />
      </div>
    </>
  );
}
