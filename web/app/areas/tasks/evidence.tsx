import type { JobTask, StatementReference } from '@officium/contract/job-tasks';
import { useText } from '../../text.tsx';
import { CourseLinks } from './course-links.tsx';
import { RATING_WORDS } from './words.ts';

type Props = { task: JobTask; insight: string; /** Language of the task, where known. */ lang: 'en' | undefined };

/** The evidence for one task, and related courses. */
export function Evidence({ task: { id, title, references, courses }, insight, lang }: Props) {
  const { t, locale } = useText();
  return (
    <li id={`task-${id}`} tabIndex={-1} className="scroll-mt-24 border-t border-line py-6">
      <h3 className="text-xl">
        <bdi lang={lang}>{title}</bdi>
      </h3>
      <p lang={locale} className="mt-1 max-w-read text-muted">
        {insight}
      </p>
      <div className="mt-4 grid gap-x-14 gap-y-5 lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
        {references.length ? (
          <ul className="grid content-start gap-4">
            {references.map((reference) => (
              <Statement key={reference.taskId} reference={reference} />
            ))}
          </ul>
        ) : null}
        {courses.length ? (
          <div>
            <h4 className="font-sans text-base font-semibold">{t('task.courses_of_task')}</h4>
            <CourseLinks courses={courses} />
          </div>
        ) : null}
      </div>
    </li>
  );
}

function Statement({ reference }: { reference: StatementReference }) {
  const { t, rich, number } = useText();
  const { title, url, quote, onetCode, taskId, ratings, automation, similarity } = reference;
  const percent = (share: number) => number(share, { style: 'percent' });
  return (
    <li className="border-s-4 border-accent ps-4">
      <blockquote lang="en" dir="ltr" cite={url} className="text-start font-serif text-lg rtl:text-end">
        <p>{quote}</p>
      </blockquote>
      <p className="mt-1 text-sm text-muted">
        {rich('task.statement_of', {
          occupation: (
            <a href={url} rel="noopener" lang="en" dir="ltr" className="link">
              {title}
            </a>
          ),
          code: <bdi>{onetCode}</bdi>,
          task: <bdi>{taskId}</bdi>,
        })}{' '}
        {t('task.alike', { percent: percent(similarity) })}
      </p>
      <p className="text-sm text-muted">
        {t('task.rated', {
          people: t(RATING_WORDS[ratings.people]),
          model: t(RATING_WORDS[ratings.model]),
          automation: percent(automation),
        })}
      </p>
    </li>
  );
}
