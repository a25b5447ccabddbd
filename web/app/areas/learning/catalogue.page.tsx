import { Form, Link } from 'react-router';
import { endonymOf, isLocale, type Locale } from '@officium/i18n/locales';
import { listCatalogue } from '@officium/contract/content';
import { readMyLearning } from '@officium/contract/learner';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { topicKey, topicOf, TOPICS, topicSlug, type Topic } from '../../topics.ts';

import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/catalogue.page';
import { CourseRow, MicrocourseRow, type CourseProgress } from './course-row.tsx';
import { LearnTabs } from './learn-tabs.tsx';
import { isWhole, type MyJourney } from './learner.ts';

const LENGTHS = ['short', 'medium', 'long'] as const;
type Filters = { q?: string; academy?: string; language?: Locale; length?: (typeof LENGTHS)[number]; topic?: Topic };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, attempt, viewer, locale, url } = await load(request, context);
  const filters = filtersOf(url.searchParams);
  const [catalogue, mine] = await Promise.all([
    api(listCatalogue, { query: { locale, ...filters } }),
    viewer && !viewer.limited ? attempt(readMyLearning, { query: { locale } }) : undefined,
  ]);
  return { ...catalogue, filters, mine: mine?.ok ? progressByCourse(mine.body.journeys) : {} };
}

/** Reads the filters from the address; unknown values are ignored. */
function filtersOf(query: URLSearchParams): Filters {
  const q = query.get('q')?.trim().slice(0, 200);
  const academy = query.get('academy') ?? '';
  const language = query.get('language');
  const length = LENGTHS.find((known) => known === query.get('length'));
  const topic = topicOf(query.get('topic'));
  return {
    ...(q && { q }),
    ...(/^[a-z0-9-]{1,128}$/.test(academy) && { academy }),
    ...(isLocale(language) && { language }),
    ...(length && { length }),
    ...(topic && { topic }),
  };
}

/** For each course, the journey the viewer was last active in. */
function progressByCourse(journeys: readonly MyJourney[]): Record<string, CourseProgress> {
  const progress: Record<string, CourseProgress> = {};
  for (const { course, progress: counted, completedAt, validity } of journeys) {
    progress[course.slug] ??= {
      completed: counted.completedLessons,
      mandatory: counted.mandatoryLessons,
      isDone: isWhole(completedAt, { validity }),
    };
  }
  return progress;
}

export default function Catalogue({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { courses, microcourses, filters, mine } = loaderData;
  const isFiltered = Object.keys(filters).length > 0;
  const found = courses.length + microcourses.length;
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('common.courses')} description={t('learning.catalogue_description')} />
      <h1 className="text-4xl md:text-5xl">{t('learning.catalogue_title')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-lg text-muted">{t('learning.catalogue_lead')}</p>
      <LearnTabs current="courses" />
      <FilterForm {...loaderData} />
      {isFiltered ? (
        <p role="status" className="mt-6 flex flex-wrap items-baseline gap-x-4 text-muted">
          {t('learning.found', { count: found })}
          <Link to="/courses" className="link inline-block py-1">
            {t('learning.filters_clear')}
          </Link>
        </p>
      ) : null}
      {courses.length > 0 ? (
        <section aria-labelledby="courses" className="mt-6">
          <h2 id="courses" className="sr-only">
            {t('common.courses')}
          </h2>
          <ul className="divide-y divide-line border-y border-line">
            {courses.map((course) => (
              <CourseRow key={course.slug} course={course} progress={mine[course.slug]} />
            ))}
          </ul>
        </section>
      ) : null}
      {microcourses.length > 0 ? (
        <section aria-labelledby="microcourses" className="mt-14">
          <h2 id="microcourses" className="text-3xl">
            {t('learning.microcourses')}
          </h2>
          <p className="mt-1 mb-4 text-muted">{t('learning.microcourses_lead')}</p>
          <ul className="grid border-t border-line sm:grid-cols-2 sm:gap-x-12">
            {microcourses.map((microcourse) => (
              <MicrocourseRow key={microcourse.slug} microcourse={microcourse} />
            ))}
          </ul>
        </section>
      ) : null}
      {found === 0 ? <Nothing isFiltered={isFiltered} /> : null}
    </div>
  );
}

function FilterForm({
  academies,
  languages,
  topics,
  filters,
}: Pick<Route.ComponentProps['loaderData'], 'academies' | 'languages' | 'topics' | 'filters'>) {
  const { t } = useText();
  // A topic in the address stays chosen even if nothing carries it.
  const offered = TOPICS.filter((topic) => topics.includes(topic) || topic === filters.topic);
  const lengths = [
    { value: 'short', label: t('learning.length_short') },
    { value: 'medium', label: t('learning.length_medium') },
    { value: 'long', label: t('learning.length_long') },
  ];
  return (
    // The key resets the fields when a link clears the filters.
    <Form
      key={JSON.stringify(filters)}
      role="search"
      aria-label={t('learning.filters')}
      className="mt-6 grid grid-cols-2 items-end gap-x-4 gap-y-3 lg:grid-cols-[1.2fr_1.3fr_1fr_1fr_1fr_auto]"
    >
      <Field
        name="q"
        id="filter-q"
        className="max-lg:col-span-2"
        type="search"
        label={t('learning.filter_words')}
        defaultValue={filters.q}
        maxLength={200}
        hideOptional
      />
      <Choice
        name="topic"
        label={t('learning.filter_topic')}
        value={filters.topic && topicSlug(filters.topic)}
        options={offered.map((topic) => ({ value: topicSlug(topic), label: t(topicKey(topic)) }))}
      />
      <Choice
        name="academy"
        label={t('learning.filter_academy')}
        value={filters.academy}
        options={academies.map(({ slug, title }) => ({ value: slug, label: title }))}
      />
      <Choice
        name="language"
        label={t('common.language')}
        value={filters.language}
        options={languages.map((code) => ({ value: code, label: endonymOf(code) }))}
      />
      <Choice name="length" label={t('learning.filter_length')} value={filters.length} options={lengths} />
      <Button look="secondary">{t('learning.filters_apply')}</Button>
    </Form>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  value: string | undefined;
  options: { value: string; label: string }[];
};

/** One filter; the first choice is not to filter. */
function Choice({ name, label, value, options }: ChoiceProps) {
  const { t } = useText();
  return (
    <Select
      name={name}
      id={`filter-${name}`}
      label={label}
      defaultValue={value ?? ''}
      hideOptional
      options={[{ value: '', label: t('learning.filter_any') }, ...options]}
    />
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useText();
  return (
    <div className="mt-10">
      {isFiltered ? (
        <EmptyState
          title={t('learning.nothing_found')}
          action={<LinkButton to="/courses">{t('learning.filters_clear')}</LinkButton>}
        >
          {t('learning.nothing_found_text')}
        </EmptyState>
      ) : (
        <EmptyState title={t('learning.no_courses')}>{t('learning.no_courses_text')}</EmptyState>
      )}
    </div>
  );
}
