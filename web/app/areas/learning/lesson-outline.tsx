import { ChevronDown, ListChecks } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { useCanSaveLessons } from '../../offline/offline.ts';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { awaitsCertificate, certificatePath, isWhole, type LessonReply } from './learner.ts';
import { ShortcutsHelp } from './lesson-keys.tsx';
import { Outline } from './outline.tsx';

const SaveJourney = lazy(async () => ({ default: (await import('./save-journey.tsx')).SaveJourney }));

type Props = Pick<LessonReply, 'course' | 'journey'> & {
  current: string;
  lang: Locale | undefined;
  titleLang: Locale | undefined;
};

/** The outline beside a lesson, on wide screens. */
export function OutlineSide(props: Props) {
  const { t } = useText();
  return (
    <nav
      aria-label={t('learning.outline')}
      className="no-print hidden lg:row-span-3 lg:sticky xl:row-span-2 lg:top-16 lg:block lg:max-h-[calc(100dvh-4rem)] lg:self-start lg:overflow-y-auto lg:py-14 lg:pe-2"
    >
      <Contents {...props} />
      <ShortcutsHelp />
    </nav>
  );
}

/** The same outline behind a bar below the header, on small screens; when open it covers the lesson. */
export function OutlineSheet(props: Props) {
  const { t } = useText();
  const { pathname } = useLocation();
  const details = useRef<HTMLDetailsElement>(null);
  const { progress } = props.journey;
  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [pathname]);
  return (
    <details
      ref={details}
      data-menu=""
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        details.current.open = false;
        details.current.querySelector('summary')?.focus();
      }}
      className="group no-print sticky top-16 z-20 border-b border-line bg-paper lg:hidden"
    >
      <summary className="page flex min-h-12 items-center gap-3 font-semibold">
        <Icon as={ListChecks} className="text-accent" />
        <span className="flex-1">{t('learning.outline')}</span>
        {progress ? (
          <span className="font-normal text-muted">
            {t('learning.progress_caption', { completed: progress.completedLessons, count: progress.mandatoryLessons })}
          </span>
        ) : null}
        <Icon as={ChevronDown} className="group-open:rotate-180" />
      </summary>
      <nav
        aria-label={t('learning.outline')}
        className="panel absolute inset-x-0 top-full max-h-[70dvh] overflow-y-auto rounded-t-none"
      >
        <div className="page py-5">
          <Contents {...props} />
        </div>
      </nav>
    </details>
  );
}

function Contents({ course, journey, current, lang, titleLang }: Props) {
  const { t } = useText();
  const { progress, enrolment } = journey;
  const canKeep = useCanSaveLessons();
  return (
    <>
      <p
        className="mb-3 font-serif text-xl leading-snug font-semibold"
        lang={titleLang}
        dir={titleLang ? 'auto' : undefined}
      >
        {journey.title}
      </p>
      {progress ? (
        <div className="mb-6">
          <Progress
            label={t('learning.progress_of', { title: journey.title })}
            value={progress.completedLessons}
            max={progress.mandatoryLessons}
            caption={t('learning.progress_caption', {
              completed: progress.completedLessons,
              count: progress.mandatoryLessons,
            })}
          />
          {isWhole(enrolment?.completedAt, journey) ? (
            <Link to={certificatePath(course.slug, journey.slug)} className="link mt-2 inline-block py-1">
              {awaitsCertificate(journey) ? t('learning.certificate_get') : t('learning.certificate_see')}
            </Link>
          ) : null}
        </div>
      ) : null}
      <Outline
        isCompact
        isPreview={!enrolment}
        level={2}
        course={course.slug}
        journey={journey.slug}
        sections={journey.sections}
        {...{ current, lang, titleLang }}
      />
      {canKeep && enrolment ? (
        <Suspense>
          <SaveJourney
            course={course.slug}
            journey={journey.slug}
            sections={journey.sections}
            {...{ lang, titleLang }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
