import { ArrowRight, ChartColumn } from 'lucide-react';
import { Link } from 'react-router';
import { useSiteName } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Assignments } from '../../ui/assignments.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Row, RowList } from '../../ui/card.tsx';
import { Cover } from '../../ui/cover.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Poll } from '../../ui/poll.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ChangesLine } from '../../ui/journey-changes.tsx';
import { Time } from '../../ui/time.tsx';
import { CourseCards } from './course-cards.tsx';
import type { NewPost, Today } from './today.ts';
import { UpcomingEvents } from '../../ui/upcoming-events.tsx';
import { Registration } from './registration.tsx';
import { ComingUp, Ends, Waiting } from './waiting.tsx';

const DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** The signed-in front page: where the viewer left off, what is new, one poll. */
export function TodayPage({ today, now }: { today: Today; now: string }) {
  const { t, date } = useText();
  return (
    <div className="page py-8 md:py-12">
      <p className="eyebrow" suppressHydrationWarning>
        {date(now, DAY)}
      </p>
      <h1 className="mt-1 text-4xl md:text-5xl">{t('home.today')}</h1>
      {today.registration ? <Registration {...today.registration} /> : null}
      {today.assigned.length ? <Assignments assignments={today.assigned} /> : null}
      {today.next ? <Next next={today.next} /> : today.assigned.length ? null : <Begin courses={today.courses} />}
      <div className="mt-12 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
        {today.isMember ? <News posts={today.posts} /> : <JoinOne communities={today.communities} />}
        <div className="space-y-12">
          {today.requests.length || today.joiners.length ? <Waiting {...today} /> : null}
          {today.poll ? <OnePoll poll={today.poll} /> : null}
          {today.changed.length ? <ChangedCourses changed={today.changed} /> : null}
          {today.due.length ? <ComingUp due={today.due} /> : null}
          {today.events.length ? <UpcomingEvents events={today.events} /> : null}
          {today.mayAnalyseJob ? <OwnJob /> : null}
        </div>
      </div>
    </div>
  );
}

/** Card with the next lesson and the time left. */
function Next({ next }: { next: NonNullable<Today['next']> }) {
  const { t } = useText();
  const duration = useDuration();
  const { course, journey, cover, to, lesson, minutesLeft, done, of, ending } = next;
  return (
    <section
      aria-labelledby="next"
      className="mt-7 grid overflow-hidden rounded border border-line bg-card shadow-soft md:grid-cols-[2fr_3fr]"
    >
      <div className="h-36 md:h-auto">
        <Cover slug={course.slug} src={cover} />
      </div>
      <div className="p-6 md:p-9">
        <h2 id="next" className="font-sans text-sm font-semibold tracking-normal text-muted">
          {t('home.go_on')}
        </h2>
        <p className="mt-2 font-serif text-3xl leading-tight font-semibold" dir="auto">
          {lesson.title}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-muted" dir="auto">
          <Link to={`/courses/${course.slug}`} className="title-link">
            {course.title}
          </Link>
          {journey === course.title ? null : <span>{journey}</span>}
        </p>
        <div className="mt-5 max-w-md">
          <Progress label={course.title} value={done} max={of} caption={t('home.lessons_done', { done, of })} />
        </div>
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
          <span>{t('learning.time_left', { time: duration(minutesLeft) })}</span>
          {ending ? <Ends ending={ending} /> : null}
        </p>
        <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-2">
          <LinkButton to={to}>
            {t('home.go_on_button', { minutes: lesson.minutes })}
            <Icon as={ArrowRight} size={18} directional />
          </LinkButton>
          <Link to="/me/learning" className="link py-1.5">
            {t('common.learning_mine')}
          </Link>
        </div>
      </div>
    </section>
  );
}

/** Link to the analysis of AI's effect on the viewer's job. */
function OwnJob() {
  const { t } = useText();
  return (
    <section aria-labelledby="own-job">
      <h2 id="own-job" className="text-2xl">
        <Link to="/tasks" className="title-link">
          {t('task.title')}
        </Link>
      </h2>
      <p className="mt-1.5 text-muted">{t('task.today_text')}</p>
    </section>
  );
}

/** Courses that changed since the viewer finished them. */
function ChangedCourses({ changed }: Pick<Today, 'changed'>) {
  const { t } = useText();
  return (
    <section aria-labelledby="changed">
      <h2 id="changed" className="text-2xl">
        {t('learning.changes_courses')}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {changed.map(({ course, journey, changes }) => (
          <li key={`${course.slug}/${journey}`} className="py-4">
            <h3 className="text-xl">
              <Link to={`/courses/${course.slug}`} className="title-link" dir="auto">
                {course.title}
              </Link>
            </h3>
            <ChangesLine changes={changes} course={course.slug} journey={journey} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Begin({ courses }: { courses: Today['courses'] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="begin" className="mt-8">
      <h2 id="begin" className="text-2xl">
        {t('home.begin')}
      </h2>
      <p className="mt-1 text-muted">{t('home.begin_text', { site: useSiteName() })}</p>
      {courses.length ? (
        <div className="mt-5">
          <CourseCards courses={courses} />
        </div>
      ) : (
        <p className="mt-3 text-muted">{t('home.courses_empty')}</p>
      )}
    </section>
  );
}

function News({ posts }: { posts: NewPost[] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="news">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="news" className="text-2xl">
          {t('home.news')}
        </h2>
        <Link to="/communities" className="link py-1.5">
          {t('home.communities_mine')}
        </Link>
      </div>
      {posts.length ? (
        <ol className="mt-3 divide-y divide-line border-y border-line">
          {posts.map((post) => (
            <NewsItem key={post.id} post={post} />
          ))}
        </ol>
      ) : (
        <div className="mt-4">
          <EmptyState title={t('home.news_empty_title')}>{t('home.news_empty_text')}</EmptyState>
        </div>
      )}
    </section>
  );
}

function NewsItem({ post }: { post: NewPost }) {
  const { t, rich } = useText();
  const { id, title, lang, author, createdAt, replies, isPoll, community } = post;
  return (
    <li className="py-4">
      <p className="text-sm text-muted">
        <Link
          to={`/communities/${community.slug}`}
          className="inline-block py-0.5 hover:text-accent hover:underline"
          dir="auto"
        >
          {community.title}
        </Link>
      </p>
      <h3 lang={title ? lang : undefined} dir="auto" className="text-xl">
        <Link to={`/communities/${community.slug}/activities/${id}`} className="title-link">
          {isPoll ? <Icon as={ChartColumn} size={18} className="me-2 inline align-[-0.15em] text-accent" /> : null}
          {title ?? t('home.post_by', { name: author })}
        </Link>
      </h3>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
        <span>{rich('home.article_by', { name: <bdi>{author}</bdi> })}</span>
        <Time value={createdAt} />
        {replies ? <span>{t('home.replies', { count: replies })}</span> : null}
      </p>
    </li>
  );
}

function JoinOne({ communities }: Pick<Today, 'communities'>) {
  const { t } = useText();
  return (
    <section aria-labelledby="join-one">
      <h2 id="join-one" className="text-2xl">
        {t('home.join_one')}
      </h2>
      <p className="mt-1 mb-4 text-muted">{t('home.join_one_text')}</p>
      <RowList>
        {communities.map((community) => (
          <Row
            key={community.slug}
            to={`/communities/${community.slug}`}
            title={community.title}
            lang={community.lang}
            lead={
              <div className="size-16 shrink-0 overflow-hidden rounded">
                <Cover slug={community.slug} />
              </div>
            }
            meta={<span>{t('home.members', { count: community.members })}</span>}
          >
            {community.purpose}
          </Row>
        ))}
      </RowList>
      <Link to="/communities" className="link mt-3 inline-block py-1.5">
        {t('home.communities_all')}
      </Link>
    </section>
  );
}

function OnePoll({ poll }: { poll: NonNullable<Today['poll']> }) {
  const { t } = useText();
  const { id, title, lang, data, community } = poll;
  return (
    <section aria-labelledby="one-poll">
      <h2 id="one-poll" className="text-2xl">
        {t('home.one_poll')}
      </h2>
      <div id={id} className="mt-3 border-t border-line pt-4">
        <p className="text-sm text-muted">
          <Link
            to={`/communities/${community.slug}`}
            className="inline-block py-0.5 hover:text-accent hover:underline"
            dir="auto"
          >
            {community.title}
          </Link>
        </p>
        <h3 id="one-poll-title" lang={lang} dir="auto" className="mb-3 text-xl">
          <Link to={`/communities/${community.slug}/activities/${id}`} className="title-link">
            {title}
          </Link>
        </h3>
        <Poll poll={data} community={community.slug} lang={lang} labelledBy="one-poll-title" canVote />
      </div>
    </section>
  );
}
