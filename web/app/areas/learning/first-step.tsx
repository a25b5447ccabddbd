import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ValidUntil } from '../../ui/validity.tsx';
import { Join } from './join.tsx';
import {
  awaitsCertificate,
  certificatePath,
  isWhole,
  lessonPath,
  nextLesson,
  type Course,
  type CourseJourney,
} from './learner.ts';

export type JourneyProps = { course: Course; journey: CourseJourney };

/** The next step of a visitor or learner in a journey: to join, to go on or to get the certificate. */
export function FirstStep({
  course,
  journey,
  look,
  place,
}: JourneyProps & { look?: 'primary' | 'secondary'; place: string }) {
  const { t } = useText();
  if (journey.enrolment?.status !== 'enrolled') {
    const label =
      course.journeys.length > 1 ? t('learning.join_named', { title: journey.title }) : t('learning.join_course');
    return <Join next={`/courses/${course.slug}`} {...{ journey, label, look, place }} />;
  }
  const next = nextLesson(journey.sections);
  const isBegun = (journey.progress?.completedLessons ?? 0) > 0;
  const isDone = isWhole(journey.enrolment.completedAt, journey);
  return (
    <div className="space-y-5">
      <JourneyProgress journey={journey} />
      <div className="flex flex-wrap gap-3">
        {next ? (
          <LinkButton
            to={lessonPath(course.slug, journey.slug, next.slug)}
            look={isDone ? 'secondary' : look}
            className="max-sm:w-full"
          >
            {isDone ? t('learning.read_optional') : isBegun ? t('learning.continue') : t('learning.begin')}
          </LinkButton>
        ) : null}
        {isDone ? (
          <LinkButton to={certificatePath(course.slug, journey.slug)} look={look} className="max-sm:w-full">
            {awaitsCertificate(journey) ? t('learning.certificate_get') : t('learning.certificate_see')}
          </LinkButton>
        ) : null}
      </div>
      {journey.validity ? <Valid course={course} journey={journey} validity={journey.validity} /> : null}
    </div>
  );
}

function Valid({ course, journey, validity }: JourneyProps & { validity: NonNullable<CourseJourney['validity']> }) {
  const { t } = useText();
  return (
    <p className="flex flex-wrap gap-x-4 text-muted">
      <ValidUntil validity={validity} />
      {validity.renewal === 'open' ? (
        <Link to={certificatePath(course.slug, journey.slug)} className="link -my-1 inline-block py-1">
          {t('learning.renew')}
        </Link>
      ) : null}
    </p>
  );
}

function JourneyProgress({ journey: { progress, title } }: Pick<JourneyProps, 'journey'>) {
  const { t } = useText();
  if (!progress) return null;
  const { completedLessons, mandatoryLessons } = progress;
  return (
    <Progress
      label={t('learning.progress_of', { title })}
      value={completedLessons}
      max={mandatoryLessons}
      caption={t('learning.progress_caption', { completed: completedLessons, count: mandatoryLessons })}
    />
  );
}
