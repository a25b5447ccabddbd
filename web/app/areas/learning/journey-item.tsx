import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Due } from '../../ui/due.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { ChangesLine } from '../../ui/journey-changes.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Time } from '../../ui/time.tsx';
import { ValidUntil } from '../../ui/validity.tsx';
import { CertificateLinks } from './certificate-card.tsx';
import { EvaluationOffer } from './evaluation-offer.tsx';
import { awaitsCertificate, certificatePath, isWhole, lessonPath, type MyJourney } from './learner.ts';

export type Dated = MyJourney & { daysLate: number };

/** A journey in the lists of my learning. */
export function JourneyItem({ journey }: { journey: Dated }) {
  const { t } = useText();
  const { course } = journey;
  return (
    <li className="grid gap-x-6 gap-y-3 py-5 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <div className="aspect-video overflow-hidden rounded max-sm:hidden">
        <Cover slug={course.slug} src={course.cover?.url} alt={course.cover?.alt} />
      </div>
      <div>
        <h3 className="text-xl">
          {journey.isWithdrawn ? (
            course.title
          ) : (
            <Link to={`/courses/${course.slug}`} className="title-link">
              {course.title}
            </Link>
          )}
        </h3>
        {journey.isWithdrawn ? <p>{t('learning.withdrawn_text')}</p> : null}
        <p className="text-muted">
          {journey.title === course.title ? null : <>{journey.title} · </>}
          <State journey={journey} />
          <DueOf journey={journey} />
          <RenewBy journey={journey} />
        </p>
        {journey.changes ? (
          <div className="mt-2">
            <ChangesLine changes={journey.changes} course={course.slug} journey={journey.journeySlug} />
          </div>
        ) : null}
        {isWhole(journey.completedAt, journey) ? null : (
          <div className="mt-2 max-w-md">
            <JourneyProgress journey={journey} />
          </div>
        )}
        {journey.evaluation === 'open' ? (
          <p className="mt-1">
            <EvaluationOffer course={course.slug} journey={journey.journeySlug} />
          </p>
        ) : null}
        <Step journey={journey} />
      </div>
    </li>
  );
}

/** The certificate, and the next step: to renew it, to get it or to go on. */
function Step({ journey }: { journey: Dated }) {
  const { t } = useText();
  const { course, nextLesson, certificate, validity } = journey;
  const isDone = isWhole(journey.completedAt, journey);
  const path = certificatePath(course.slug, journey.journeySlug);
  return (
    <>
      {certificate ? (
        <div className="mt-2">
          <CertificateLinks certificate={certificate} />
        </div>
      ) : null}
      {validity?.renewal === 'open' ? (
        <div className="mt-3">
          <LinkButton to={path} look="secondary" small>
            {t('learning.renew')}
          </LinkButton>
        </div>
      ) : journey.isWithdrawn ? null : isDone && awaitsCertificate(journey) ? (
        <div className="mt-3">
          <LinkButton to={path} small>
            {t('learning.certificate_get')}
          </LinkButton>
        </div>
      ) : !isDone && nextLesson && journey.status === 'enrolled' ? (
        <div className="mt-3">
          <LinkButton to={lessonPath(course.slug, journey.journeySlug, nextLesson.slug)} look="secondary" small>
            {t('learning.continue_with', { title: nextLesson.title })}
          </LinkButton>
        </div>
      ) : null}
    </>
  );
}

function State({ journey }: { journey: Dated }) {
  const { status, expiresOn, completedAt, minutesLeft, isWithdrawn } = journey;
  const { t, rich } = useText();
  const duration = useDuration();
  if (completedAt && isWhole(completedAt, journey))
    return <>{rich('learning.completed_on', { date: <Time value={completedAt} look="date" /> })}</>;
  if (isWithdrawn) return null;
  if (status === 'expired') {
    return (
      <>
        {expiresOn
          ? rich('learning.place_ended_on', { date: <Time value={expiresOn} look="date" /> })
          : t('learning.place_ended')}
      </>
    );
  }
  if (status !== 'enrolled') return <>{t('learning.place_pending')}</>;
  if (expiresOn)
    return <>{rich('learning.until', { time: duration(minutesLeft), date: <Time value={expiresOn} look="date" /> })}</>;
  return <>{t('learning.time_left', { time: duration(minutesLeft) })}</>;
}

/** The due date of a journey that is under way. */
export function DueOf({ journey: { dueOn, daysLate, completedAt, status } }: { journey: Dated }) {
  if (dueOn === null || completedAt || status !== 'enrolled') return null;
  return (
    <>
      {' '}
      · <Due {...{ dueOn, daysLate }} />
    </>
  );
}

/** The day by which to renew the certificate, or its last day. */
export function RenewBy({ journey: { validity } }: { journey: Dated }) {
  if (!validity) return null;
  return (
    <>
      {' '}
      · <ValidUntil validity={validity} />
    </>
  );
}

export function JourneyProgress({ journey: { title, progress } }: { journey: Dated }) {
  const { t } = useText();
  return (
    <Progress
      label={t('learning.progress_of', { title })}
      value={progress.completedLessons}
      max={progress.mandatoryLessons}
      caption={t('learning.progress_caption', {
        completed: progress.completedLessons,
        count: progress.mandatoryLessons,
      })}
    />
  );
}
