import { listMyAssignments, listMyMicrocourses, readMyLearning } from '@officium/contract/learner';
import { Link } from 'react-router';
import { loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { withLateness } from '../../days-late.ts';
import { Assignments } from '../../ui/assignments.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Due } from '../../ui/due.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ChangesLine } from '../../ui/journey-changes.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/my-learning.page';
import { CertificateLinks } from './certificate-card.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { LearnTabs } from './learn-tabs.tsx';
import { certificatePath, lessonPath, type MyJourney } from './learner.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  const query = { locale };
  const [{ journeys }, { microcourses }, { assignments }] = await Promise.all([
    api(readMyLearning, { query }),
    api(listMyMicrocourses, { query }),
    api(listMyAssignments, { query }),
  ]);
  const now = new Date();
  return {
    journeys: journeys.map((journey) => withLateness(journey, now)),
    microcourses,
    assigned: assignments.map((assignment) => withLateness(assignment, now)),
  };
}

type Dated = MyJourney & { daysLate: number };

export default function MyLearning({ loaderData: { journeys, microcourses, assigned } }: Route.ComponentProps) {
  const { t } = useText();
  const completed = journeys.filter(({ completedAt }) => completedAt);
  const [current, ...others] = journeys.filter(({ completedAt, status }) => !completedAt && status === 'enrolled');
  const waiting = journeys.filter(({ completedAt, status }) => !completedAt && status !== 'enrolled');
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('common.learning_mine')} isPrivate />
      <h1 className="mb-5 text-4xl md:text-5xl">{t('common.learning_mine')}</h1>
      <LearnTabs current="mine" />
      {assigned.length ? <Assignments assignments={assigned} /> : null}
      {assigned.length + journeys.length + microcourses.length === 0 ? (
        <div className="mt-10">
          <EmptyState
            title={t('learning.mine_empty')}
            action={<LinkButton to="/courses">{t('learning.browse')}</LinkButton>}
          >
            {t('learning.mine_empty_text')}
          </EmptyState>
        </div>
      ) : null}
      {current ? <Current journey={current} /> : null}
      <Group id="under-way" title={t('learning.under_way')} journeys={others} />
      <Group id="waiting" title={t('learning.waiting')} journeys={waiting} />
      <Group id="completed" title={t('learning.completed')} journeys={completed} />
      <Microcourses microcourses={microcourses} />
      <p className="mt-10 flex flex-wrap gap-x-6">
        <Link to="/me/learning/transcript" className="link inline-block py-1.5">
          {t('transcript.title')}
        </Link>
        <Link to="/offline" className="link inline-block py-1.5">
          {t('learning.offline_lessons')}
        </Link>
      </p>
    </div>
  );
}

/** The journey to continue, as the largest item of the page. */
function Current({ journey }: { journey: Dated }) {
  const { t } = useText();
  const duration = useDuration();
  const { course, nextLesson } = journey;
  return (
    <section
      aria-labelledby="current"
      className="grid items-center gap-x-12 gap-y-6 border-b border-line py-10 md:grid-cols-[22rem_minmax(0,1fr)]"
    >
      <div className="aspect-video overflow-hidden rounded">
        <Cover slug={course.slug} src={course.cover?.url} alt={course.cover?.alt} />
      </div>
      <div>
        <p className="eyebrow">{t('learning.stopped_here')}</p>
        <h2 id="current" className="mt-1 text-3xl md:text-4xl">
          <Link to={`/courses/${course.slug}`} className="title-link">
            {course.title}
          </Link>
        </h2>
        <p className="mt-1 text-muted">
          {journey.title === course.title ? null : <>{journey.title} · </>}
          {t('learning.time_left', { time: duration(journey.minutesLeft) })}
          <DueOf journey={journey} />
        </p>
        <div className="mt-4 max-w-md">
          <JourneyProgress journey={journey} />
        </div>
        {nextLesson ? (
          <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3">
            <LinkButton to={lessonPath(course.slug, journey.journeySlug, nextLesson.slug)}>
              {journey.progress.completedLessons > 0 ? t('learning.continue') : t('learning.begin')}
            </LinkButton>
            <p className="min-w-0 text-muted">
              {t('learning.next_lesson', { title: nextLesson.title, time: duration(nextLesson.minutes) })}
            </p>
          </div>
        ) : null}
      </div>
    </section>
  );
}

/** The due date of a journey that is under way. */
function DueOf({ journey: { dueOn, daysLate, completedAt, status } }: { journey: Dated }) {
  if (dueOn === null || completedAt || status !== 'enrolled') return null;
  return (
    <>
      {' '}
      · <Due {...{ dueOn, daysLate }} />
    </>
  );
}

function JourneyProgress({ journey: { title, progress } }: { journey: Dated }) {
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

function Group({ id, title, journeys }: { id: string; title: string; journeys: Dated[] }) {
  if (journeys.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="mb-2 text-2xl">
        {title}
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {journeys.map((journey) => (
          <Item key={`${journey.course.slug}/${journey.journeySlug}`} journey={journey} />
        ))}
      </ul>
    </section>
  );
}

function Microcourses({ microcourses }: { microcourses: Route.ComponentProps['loaderData']['microcourses'] }) {
  const { t, rich, locale } = useText();
  if (microcourses.length === 0) return null;
  return (
    <section aria-labelledby="microcourses" className="mt-12">
      <h2 id="microcourses" className="mb-2 text-2xl">
        {t('learning.microcourses_completed')}
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {microcourses.map(({ slug, title, shownLocale, minutes, completedAt }) => (
          <li key={slug} className="py-4">
            <h3 className="text-xl">
              <Link
                to={`/microcourses/en/${slug}`}
                className="title-link"
                lang={shownLocale === locale ? undefined : shownLocale}
              >
                {title}
              </Link>
            </h3>
            <p className="text-muted">
              {t('common.minutes', { count: minutes })} ·{' '}
              {rich('learning.microcourse_read_on', { date: <Time value={completedAt} look="date" /> })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item({ journey }: { journey: Dated }) {
  const { t } = useText();
  const { course, nextLesson, certificate, completedAt } = journey;
  return (
    <li className="grid gap-x-6 gap-y-3 py-5 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <div className="aspect-video overflow-hidden rounded max-sm:hidden">
        <Cover slug={course.slug} src={course.cover?.url} alt={course.cover?.alt} />
      </div>
      <div>
        <h3 className="text-xl">
          <Link to={`/courses/${course.slug}`} className="title-link">
            {course.title}
          </Link>
        </h3>
        <p className="text-muted">
          {journey.title === course.title ? null : <>{journey.title} · </>}
          <State journey={journey} />
          <DueOf journey={journey} />
        </p>
        {journey.changes ? (
          <div className="mt-2">
            <ChangesLine changes={journey.changes} course={course.slug} journey={journey.journeySlug} />
          </div>
        ) : null}
        {completedAt ? null : (
          <div className="mt-2 max-w-md">
            <JourneyProgress journey={journey} />
          </div>
        )}
        {certificate ? (
          <div className="mt-2">
            <CertificateLinks certificate={certificate} />
          </div>
        ) : completedAt ? (
          <div className="mt-3">
            <LinkButton to={certificatePath(course.slug, journey.journeySlug)} small>
              {t('learning.certificate_get')}
            </LinkButton>
          </div>
        ) : nextLesson && journey.status === 'enrolled' ? (
          <div className="mt-3">
            <LinkButton to={lessonPath(course.slug, journey.journeySlug, nextLesson.slug)} look="secondary" small>
              {t('learning.continue_with', { title: nextLesson.title })}
            </LinkButton>
          </div>
        ) : null}
      </div>
    </li>
  );
}

function State({ journey: { status, expiresOn, completedAt, minutesLeft } }: { journey: Dated }) {
  const { t, rich } = useText();
  const duration = useDuration();
  if (completedAt) return <>{rich('learning.completed_on', { date: <Time value={completedAt} look="date" /> })}</>;
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
