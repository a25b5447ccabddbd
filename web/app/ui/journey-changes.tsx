import type { ReplyOf } from '@officium/contract/endpoint';
import type { readCourse } from '@officium/contract/learner';
import { Link } from 'react-router';
import { useText } from '../text.tsx';

export type JourneyChanges = NonNullable<ReplyOf<typeof readCourse>['course']['journeys'][number]['changes']>;
export type ChangesProps = {
  changes: JourneyChanges;
  /** Slug of the course; `journey` is the journey's. */ course: string;
  journey: string;
};

/** The changes to a journey since the viewer finished it, in one line with links to the lessons. */
export function ChangesLine({ changes, course, journey }: ChangesProps) {
  const { t } = useText();
  const { added, changed, removed } = changes;
  const counts = [
    added.length ? t('learning.changes_added', { count: added.length }) : '',
    changed.length ? t('learning.changes_changed', { count: changed.length }) : '',
    removed ? t('learning.changes_removed', { count: removed }) : '',
  ].filter(Boolean);
  const lessons = [...added, ...changed];
  return (
    <>
      <p>
        <span className="font-semibold">{t('learning.changes_title')}</span> {counts.join(' · ')}
      </p>
      {lessons.length ? (
        <ul className="mt-1 flex flex-wrap gap-x-5">
          {lessons.map(({ slug, title }) => (
            <li key={slug}>
              <Link to={`/courses/${course}/${journey}/${slug}`} className="link inline-block py-1.5" dir="auto">
                {title}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
