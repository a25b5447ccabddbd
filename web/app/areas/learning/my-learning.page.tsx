import { listMyAssignments, listMyMicrocourses, readMyLearning } from '@officium/contract/learner';
import { Link } from 'react-router';
import { loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { withLateness } from '../../days-late.ts';
import { Assignments } from '../../ui/assignments.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/my-learning.page';
import { useDuration } from '../../ui/duration.tsx';
import { LearnTabs } from './learn-tabs.tsx';
import { type Dated, DueOf, JourneyItem, JourneyProgress, RenewBy } from './journey-item.tsx';
import { isWhole, lessonPath } from './learner.ts';

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

export default function MyLearning({ loaderData: { journeys, microcourses, assigned } }: Route.ComponentProps) {
  const { t } = useText();
  const isDone = (journey: Dated) => isWhole(journey.completedAt, journey);
  const completed = journeys.filter(isDone);
  const [current, ...others] = journeys.filter(
    (journey) => !isDone(journey) && journey.status === 'enrolled' && !journey.isWithdrawn,
  );
  const waiting = journeys.filter(
    (journey) => !isDone(journey) && journey.status !== 'enrolled' && !journey.isWithdrawn,
  );
  const withdrawn = journeys.filter((journey) => !isDone(journey) && journey.isWithdrawn);
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
      <Group id="withdrawn" title={t('learning.withdrawn')} journeys={withdrawn} />
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
          <RenewBy journey={journey} />
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

function Group({ id, title, journeys }: { id: string; title: string; journeys: Dated[] }) {
  if (journeys.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="mb-2 text-2xl">
        {title}
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {journeys.map((journey) => (
          <JourneyItem key={`${journey.course.slug}/${journey.journeySlug}`} journey={journey} />
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
