import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { Link } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { inLanguage } from './languages.ts';
import { lessonPath, type OutlineLesson, type OutlineSection } from './learner.ts';

type Props = {
  course: string;
  journey: string;
  sections: readonly OutlineSection[];
  /** Slug of the current lesson. */
  current?: string;
  /** Language chosen for the lessons. */
  lang?: Locale;
  /** Language of the titles when it differs from the page's. */
  titleLang?: Locale;
  /** Heading level of the sections. */
  level?: 2 | 3;
  /** Narrow layout, beside a lesson. */
  isCompact?: boolean;
  /** For viewers who are not enrolled: numbers instead of completion marks, and preview labels. */
  isPreview?: boolean;
};

/** The lessons of a journey by section, each with its minutes and completion. */
export function Outline({ sections, level = 3, isCompact, ...rest }: Props) {
  const Heading = `h${level}` as const;
  let number = 0;
  return (
    <div className={isCompact ? 'space-y-5' : 'space-y-8'}>
      {sections.map((section, index) => (
        <section key={index}>
          <Heading
            lang={rest.titleLang}
            dir={rest.titleLang ? 'auto' : undefined}
            className={isCompact ? 'mb-1 ps-8 text-base' : 'border-b border-line pb-2 text-xl'}
          >
            {section.heading}
          </Heading>
          <ol className={isCompact ? '' : 'divide-y divide-line border-b border-line'}>
            {section.lessons.map((lesson) => (
              <Item key={lesson.slug} number={++number} lesson={lesson} isCompact={isCompact} {...rest} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

type ItemProps = Omit<Props, 'sections' | 'level'> & { lesson: OutlineLesson; number: number };

function Item({ lesson, number, course, journey, current, lang, titleLang, isCompact, isPreview }: ItemProps) {
  const { t, number: numeral } = useText();
  const isCurrent = lesson.slug === current;
  const body = (
    <>
      {isPreview && !isCurrent ? (
        <span aria-hidden="true" className="w-6 shrink-0 text-muted tabular-nums">
          {numeral(number)}
        </span>
      ) : (
        <Mark isDone={lesson.completed} isCurrent={isCurrent} />
      )}
      <span className="min-w-0 flex-1">
        <span lang={titleLang} dir={titleLang ? 'auto' : undefined}>
          {lesson.title}
        </span>{' '}
        {lesson.mandatory ? null : (
          <span className="ms-2 inline-block text-sm font-normal text-muted">{t('common.optional')}</span>
        )}{' '}
        {isPreview && lesson.readable && !isCurrent ? (
          <span className="link ms-3 text-sm whitespace-nowrap">{t('learning.preview')}</span>
        ) : null}
      </span>
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {t('learning.minutes_short', { count: lesson.minutes })}
      </span>
    </>
  );
  const shape = isCompact
    ? 'flex items-start gap-3 rounded px-0 py-1.5 leading-snug'
    : 'flex items-baseline gap-3 py-3';
  return (
    <li>
      {lesson.readable ? (
        <Link
          to={inLanguage(lessonPath(course, journey, lesson.slug), lang)}
          aria-current={isCurrent ? 'page' : undefined}
          className={`${shape} hover:text-accent ${isCurrent ? 'font-semibold' : ''}`}
        >
          {body}
        </Link>
      ) : (
        <span className={shape}>{body}</span>
      )}
    </li>
  );
}

/** Completed, current or open, shown by shape as well as colour. */
function Mark({ isDone, isCurrent }: { isDone: boolean; isCurrent: boolean }) {
  const { t } = useText();
  const isHere = isCurrent && !isDone;
  return (
    <span
      className={`relative top-0.5 inline-flex self-start rounded-full ${isCurrent ? 'bg-marigold text-[#1b1f3b]' : isDone ? 'text-success' : 'text-muted'}`}
    >
      <Icon as={isDone ? CircleCheck : isHere ? CircleDot : Circle} size={20} />
      {isDone ? <span className="sr-only">{t('learning.lesson_done')}</span> : null}
    </span>
  );
}
