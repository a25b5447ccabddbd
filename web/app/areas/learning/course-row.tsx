import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { CourseCard, MicrocourseCard } from '@officium/contract/content';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { OfferedIn } from './read-in.tsx';
import { TopicLinks } from './topic-links.tsx';

export type CourseProgress = { completed: number; mandatory: number; isDone: boolean };

/** A course in the catalogue list. */
export function CourseRow({ course, progress }: { course: CourseCard; progress?: CourseProgress | undefined }) {
  const { t, locale } = useText();
  const duration = useDuration();
  const lang = course.shownLocale === locale ? undefined : course.shownLocale;
  return (
    <li className="group relative grid gap-x-8 gap-y-4 py-7 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="aspect-video overflow-hidden rounded max-sm:max-h-40 max-sm:w-full">
        <Cover slug={course.slug} src={course.cover?.url} alt={course.cover?.alt} />
      </div>
      <div className="max-w-3xl">
        <h3 className="text-2xl md:text-3xl" lang={lang} dir={lang ? 'auto' : undefined}>
          <Link to={`/courses/${course.slug}`} className="title-link stretched">
            {course.title}
          </Link>
        </h3>
        <p className="mt-1.5 text-lg text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
          {course.summary}
        </p>
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
          <span>{t('learning.lessons_and_time', { count: course.lessons, time: duration(course.minutes) })}</span>
          <OfferedIn locales={course.locales} />
          {course.academies.length > 0 ? <span>{course.academies.map(({ title }) => title).join(' · ')}</span> : null}
        </p>
        <TopicLinks topics={course.topics} />
        {progress ? <Begun title={course.title} progress={progress} /> : null}
      </div>
    </li>
  );
}

function Begun({ title, progress: { completed, mandatory, isDone } }: { title: string; progress: CourseProgress }) {
  const { t } = useText();
  if (isDone) {
    return (
      <p className="mt-3 flex items-center gap-2 text-sm font-semibold text-success">
        <Icon as={CircleCheck} size={18} />
        {t('learning.course_done')}
      </p>
    );
  }
  return (
    <div className="mt-3 max-w-xs">
      <Progress
        label={t('learning.progress_of', { title })}
        value={completed}
        max={mandatory}
        caption={t('learning.progress_caption', { completed, count: mandatory })}
      />
    </div>
  );
}

/** A microcourse in the catalogue list. */
export function MicrocourseRow({ microcourse }: { microcourse: MicrocourseCard }) {
  const { t, locale } = useText();
  const lang = microcourse.shownLocale === locale ? undefined : microcourse.shownLocale;
  return (
    <li className="relative border-b border-line py-5">
      <h3 className="text-xl" lang={lang} dir={lang ? 'auto' : undefined}>
        <Link to={`/microcourses/en/${microcourse.slug}`} className="title-link stretched">
          {microcourse.title}
        </Link>
      </h3>
      <p className="mt-1 text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
        {microcourse.summary}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-5 text-sm text-muted">
        <span>{t('common.minutes', { count: microcourse.minutes })}</span>
        <OfferedIn locales={microcourse.locales} />
      </p>
      <TopicLinks topics={microcourse.topics} />
    </li>
  );
}
