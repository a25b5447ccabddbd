import { CircleCheck, CloudCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { useLight } from '../../light/light.ts';
import { useSavedLesson } from '../../offline/offline.ts';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { inLanguage } from './languages.ts';
import { lessonPath, type LessonReply } from './learner.ts';
import { ReadIn, ShownInstead } from './read-in.tsx';

type Props = Pick<LessonReply, 'course' | 'journey' | 'lesson'> & {
  wanted: Locale;
  /** Language chosen for the lessons. */
  lang: Locale | undefined;
  titleLang: Locale | undefined;
};

/** Title, position in the journey and available languages of a lesson. */
export function LessonHead({ course, journey, lesson, wanted, lang, titleLang }: Props) {
  const { t, locale } = useText();
  const duration = useDuration();
  const headingLang = lesson.titleLocale === locale ? undefined : lesson.titleLocale;
  const lessons = journey.sections.flatMap((section) => section.lessons);
  const position = lessons.findIndex(({ slug }) => slug === lesson.slug) + 1;
  return (
    <header>
      <p className="eyebrow no-print">
        <Link to={`/courses/${course.slug}`} className="link inline-block py-1" lang={titleLang}>
          {course.title}
        </Link>
      </p>
      <h1 className="mt-1 text-4xl sm:text-5xl" lang={headingLang} dir={headingLang ? 'auto' : undefined}>
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
        <SavedMark
          url={inLanguage(lessonPath(course.slug, journey.slug, lesson.slug), lang)}
          title={lesson.title}
          lang={titleLang ?? locale}
        />
        {lesson.shownLocale ? (
          <span className="no-print">
            <ReadIn
              locales={lesson.locales}
              shown={lesson.shownLocale}
              path={lessonPath(course.slug, journey.slug, lesson.slug)}
            />
          </span>
        ) : null}
        {lesson.html ? (
          <a href="#assistant" className="link no-print needs-network inline-block py-1.5 xl:hidden">
            {t('learning.assistant_title')}
          </a>
        ) : null}
      </div>
      {course.humanTranslation || lesson.locales.length < 2 ? null : (
        <p className="mt-3 text-sm text-muted">{t('learning.machine_text')}</p>
      )}
      {lesson.shownLocale && lesson.shownLocale !== wanted ? (
        <div className="mt-5">
          <ShownInstead shown={lesson.shownLocale} wanted={wanted} />
        </div>
      ) : null}
    </header>
  );
}

/** Saves the lesson and shows when it can be read offline. */
function SavedMark({ url, title, lang }: { url: string; title: string; lang: Locale }) {
  const { t } = useText();
  const isLight = useLight() !== null;
  const isKept = useSavedLesson(url, title, lang);
  if (!isKept && !isLight) return null;
  // light/script.ts saves the lesson by these attributes and then shows the mark.
  const forScript = isLight ? { hidden: true, 'data-keep': url, 'data-title': title, 'data-lang': lang } : {};
  return (
    <span className="no-print inline-flex items-center gap-1.5 [&[hidden]]:hidden" {...forScript}>
      <Icon as={CloudCheck} size={18} />
      {t('learning.offline_kept')}
    </span>
  );
}
