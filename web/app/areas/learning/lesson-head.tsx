import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { lessonPath, type LessonReply } from './learner.ts';
import { ReadIn, ShownInstead } from './read-in.tsx';

type Props = Pick<LessonReply, 'course' | 'journey' | 'lesson'> & { wanted: Locale; titleLang: Locale | undefined };

/** Title of a lesson, where it stands in its journey, and the languages it can be read in. */
export function LessonHead({ course, journey, lesson, wanted, titleLang }: Props) {
  const { t } = useText();
  const duration = useDuration();
  const lessons = journey.sections.flatMap((section) => section.lessons);
  const position = lessons.findIndex(({ slug }) => slug === lesson.slug) + 1;
  return (
    <header>
      <p className="eyebrow no-print">
        <Link to={`/courses/${course.slug}`} className="link inline-block py-1" lang={titleLang}>
          {course.title}
        </Link>
      </p>
      <h1 className="mt-1 text-4xl sm:text-5xl" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
        {lesson.title}
      </h1>
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted">
        <span>
          {t('learning.lesson_position', { position, count: lessons.length, time: duration(lesson.minutes) })}
        </span>
        {lesson.completed ? (
          <span className="inline-flex items-center gap-1.5 text-success">
            <Icon as={CircleCheck} size={18} />
            {t('learning.lesson_done')}
          </span>
        ) : null}
        {lesson.shownLocale ? (
          <span className="no-print">
            <ReadIn
              locales={lesson.locales}
              shown={lesson.shownLocale}
              path={lessonPath(course.slug, journey.slug, lesson.slug)}
            />
          </span>
        ) : null}
      </div>
      {lesson.shownLocale && lesson.shownLocale !== wanted ? (
        <div className="mt-5">
          <ShownInstead shown={lesson.shownLocale} wanted={wanted} />
        </div>
      ) : null}
    </header>
  );
}
