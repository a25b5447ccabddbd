import { useRouteLoaderData } from 'react-router';
import { Award, Clock, Languages, ListChecks, UsersRound } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { buyJourney } from '@officium/contract/payments';
import { enrolMyself, readCourse, seeMyChanges } from '@officium/contract/learner';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { redirect } from '../../server/redirect.ts';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JsonLd, useOrganization } from '../../ui/json-ld.tsx';
import type { Route } from './+types/course.page';
import { AcademyLinks } from './academy-links.tsx';
import { readWithAround } from './around-course.load.ts';
import { Around } from './around-course.tsx';
import { Changes } from './changes.tsx';
import { Contacts } from './contacts.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { FirstStep, type JourneyProps } from './first-step.tsx';
import { durationOf, isWhole, lessonPath, nextLesson, type Course, type CourseJourney } from './learner.ts';
import { Outline } from './outline.tsx';
import { OfferedIn } from './read-in.tsx';
import { refer } from './refer.act.ts';
import { Refer } from './refer.tsx';
import { TopicLinks } from './topic-links.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  return await readWithAround(await load(request, context), params.course);
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields, locale } = await act(request, context);
  const journeySlug = String(fields.get('journey') ?? '');
  const seen = fields.get('seen');
  if (typeof seen === 'string') {
    const path = { courseSlug: params.course, journeySlug };
    const noted = await attempt(seeMyChanges, { params: path, body: { revision: Number(seen) } });
    return noted.ok
      ? redirectWith(`/courses/${encodeURIComponent(params.course)}`, { key: 'learning.changes_noted' })
      : noted.refusal;
  }
  if (fields.get('intent') === 'refer') return await refer(attempt, params.course, fields);
  if (String(fields.get('intent')).startsWith('buy-')) {
    const bought = await attempt(buyJourney, { params: { courseSlug: params.course, journeySlug } });
    return bought.ok ? redirect(`/payments/${bought.body.id}`) : bought.refusal;
  }
  const joined = await attempt(enrolMyself, { body: { courseSlug: params.course, journeySlug, locale } });
  if (!joined.ok) return joined.refusal;
  const { course } = await api(readCourse, { params: { courseSlug: params.course }, query: { locale } });
  const journey = course.journeys.find(({ slug }) => slug === journeySlug);
  const lesson = journey && nextLesson(journey.sections);
  if (!lesson) return redirect(`/courses/${params.course}`);
  return redirectWith(lessonPath(params.course, journeySlug, lesson.slug), {
    key: 'learning.joined',
    values: { title: journey.title },
  });
}

export default function CoursePage({ loaderData: { course, around } }: Route.ComponentProps) {
  const { locale, t } = useText();
  const titleLang = course.shownLocale === locale ? undefined : course.shownLocale;
  return (
    <>
      <Head
        title={course.title}
        description={course.summary}
        trail={[{ name: t('common.courses'), path: '/courses' }]}
      />
      <CourseFacts course={course} />
      <article>
        <Opening course={course} titleLang={titleLang} />
        <div className="page grid gap-x-16 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_19rem] lg:py-16">
          <div className="space-y-16">
            {course.journeys.map((journey) => (
              <Journey key={journey.slug} {...{ course, journey, titleLang }} />
            ))}
            <Around around={around} />
          </div>
          <Facts course={course} />
        </div>
      </article>
    </>
  );
}

type TitleLang = { titleLang: Course['shownLocale'] | undefined };

function Opening({ course, titleLang }: { course: Course } & TitleLang) {
  const { t } = useText();
  const journey = leadingJourney(course);
  return (
    <header className="border-b border-line">
      <div className="page grid items-center gap-x-16 gap-y-8 py-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:py-14">
        <div>
          <AcademyLinks academies={course.academies} />
          <h1 className="mt-2 text-4xl sm:text-5xl lg:text-6xl" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
            {course.title}
          </h1>
          <p
            className="mt-4 max-w-2xl text-lg text-muted md:text-xl md:leading-relaxed"
            lang={titleLang}
            dir={titleLang ? 'auto' : undefined}
          >
            {course.summary}
          </p>
          <div className="mt-4">
            <TopicLinks topics={course.topics} />
          </div>
          <div className="mt-7 max-w-sm">
            {journey ? (
              <FirstStep course={course} journey={journey} place="top" />
            ) : (
              <p className="text-muted">{t('learning.no_journeys')}</p>
            )}
          </div>
        </div>
        <div className="aspect-video overflow-hidden rounded max-lg:order-first max-lg:max-h-52 max-lg:w-full">
          <Cover slug={course.slug} src={course.cover?.url} alt={course.cover?.alt} />
        </div>
      </div>
    </header>
  );
}

/** The journey of the main button: the one in progress, else the first that can be joined. */
function leadingJourney({ journeys }: Course): CourseJourney | undefined {
  return (
    journeys.find(
      ({ enrolment, validity }) => enrolment?.status === 'enrolled' && !isWhole(enrolment.completedAt, { validity }),
    ) ??
    journeys.find(({ enrolment }) => enrolment) ??
    journeys.find(({ canEnrol }) => canEnrol) ??
    journeys[0]
  );
}

function Journey({ course, journey, titleLang }: JourneyProps & TitleLang) {
  const { t } = useText();
  const duration = useDuration();
  const hasOwnStep = course.journeys.length > 1;
  return (
    <section id={journey.slug} aria-labelledby={`journey-${journey.slug}`}>
      <h2
        id={`journey-${journey.slug}`}
        className="text-3xl md:text-4xl"
        lang={titleLang}
        dir={titleLang ? 'auto' : undefined}
      >
        {journey.title}
      </h2>
      <p className="mt-1 mb-6 text-muted">
        {t('learning.lessons_and_time', { count: journey.lessons, time: duration(journey.minutes) })}
      </p>
      {journey.changes ? <Changes changes={journey.changes} course={course.slug} journey={journey.slug} /> : null}
      <Outline
        course={course.slug}
        journey={journey.slug}
        sections={journey.sections}
        titleLang={titleLang}
        isPreview={!journey.enrolment}
      />
      {hasOwnStep ? (
        <div className="mt-6 max-w-sm">
          <FirstStep course={course} journey={journey} look="secondary" place="journey" />
        </div>
      ) : null}
    </section>
  );
}

function Facts({ course }: { course: Course }) {
  const { t } = useText();
  const duration = useDuration();
  const minutes = course.journeys.reduce((sum, journey) => sum + journey.minutes, 0);
  const lessons = course.journeys.reduce((sum, journey) => sum + journey.lessons, 0);
  return (
    <aside aria-label={t('learning.about_course')} className="lg:sticky lg:top-24 lg:self-start">
      <dl className="divide-y divide-line border-y border-line">
        <Fact icon={Clock} name={t('learning.fact_time')}>
          {t('learning.fact_time_text', { time: duration(minutes) })}
        </Fact>
        <Fact icon={ListChecks} name={t('learning.fact_lessons')}>
          {t('learning.fact_lessons_text', { count: lessons })}
        </Fact>
        <Fact icon={Languages} name={t('learning.fact_languages')}>
          <OfferedIn locales={course.locales} />
          {course.humanTranslation || course.locales.length < 2 ? null : (
            <span className="mt-1 block text-sm text-muted">{t('learning.machine_translated')}</span>
          )}
        </Fact>
        <Fact icon={Award} name={t('learning.fact_certificate')}>
          {t('learning.fact_certificate_text')}
        </Fact>
        {course.contacts.length > 0 ? (
          <Fact icon={UsersRound} name={t('learning.run_by')}>
            <Contacts contacts={course.contacts} />
          </Fact>
        ) : null}
      </dl>
      <Refer />
    </aside>
  );
}

function Fact({ icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
  return (
    <div className="py-4">
      <dt className="flex items-center gap-2.5 font-semibold">
        <Icon as={icon} size={18} className="text-accent" />
        {name}
      </dt>
      <dd className="mt-0.5 ps-7 text-muted">{children}</dd>
    </div>
  );
}

/** https://schema.org/Course with the fields search engines require. */
function CourseFacts({ course }: { course: Course }) {
  const root = useRouteLoaderData<RootData>('root');
  const origin = root?.origin ?? '';
  const provider = useOrganization();
  return (
    <JsonLd
      data={{
        '@type': 'Course',
        name: course.title,
        description: course.summary,
        url: `${origin}/courses/${course.slug}`,
        provider,
        inLanguage: course.locales,
        ...(course.cover ? { image: origin + course.cover.url } : {}),
        educationalCredentialAwarded: 'Certificate',
        isAccessibleForFree: course.journeys.every(({ wayIn }) => wayIn !== 'payment'),
        hasCourseInstance: course.journeys.map((journey) => ({
          '@type': 'CourseInstance',
          name: journey.title,
          courseMode: 'Online',
          courseWorkload: durationOf(journey.minutes),
        })),
      }}
    />
  );
}
