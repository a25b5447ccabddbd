import type { listMyAssignments } from '@officium/contract/learner';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../form/form-scope.tsx';
import { useText } from '../text.tsx';
import { Button, LinkButton } from './button.tsx';
import { Due } from './due.tsx';
import { useDuration } from './duration.tsx';

export type Assigned = ReplyOf<typeof listMyAssignments>['assignments'][number] & { daysLate: number };

/** Assignments that the viewer has not begun, each with a button that begins it. */
export function Assignments({ assignments }: { assignments: Assigned[] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="assigned" className="mt-8 rounded border border-line bg-card p-6 shadow-soft md:px-9">
      <h2 id="assigned" className="text-2xl">
        {t('learning.assigned')}
      </h2>
      <ul className="mt-3 divide-y divide-line">
        {assignments.map((assignment) => (
          <One key={`${assignment.kind}/${assignment.course?.slug}/${assignment.slug}`} assignment={assignment} />
        ))}
      </ul>
    </section>
  );
}

function One({ assignment }: { assignment: Assigned }) {
  const { t, rich, date } = useText();
  const duration = useDuration();
  const { title, course, minutes, cohort, dueOn, daysLate } = assignment;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-[1_1_18rem]">
        <h3 className="text-xl" dir="auto">
          <Link to={pathOf(assignment)} className="title-link">
            {course?.title ?? title}
          </Link>
        </h3>
        <p className="flex flex-wrap gap-x-3 text-muted">
          {course && course.title !== title ? <bdi>{title}</bdi> : null}
          <span>{duration(minutes)}</span>
          <span>{rich('learning.assigned_by', { cohort: <bdi>{cohort.name}</bdi> })}</span>
          {cohort.beginsOn ? (
            <span>
              {t('learning.cohort_begins', { date: date(cohort.beginsOn, { dateStyle: 'medium', timeZone: 'UTC' }) })}
            </span>
          ) : null}
          {dueOn ? <Due {...{ dueOn, daysLate }} /> : null}
        </p>
      </div>
      <Start assignment={assignment} />
    </li>
  );
}

const pathOf = ({ course, slug }: Assigned) =>
  course ? `/courses/${encodeURIComponent(course.slug)}` : `/microcourses/en/${encodeURIComponent(slug)}`;

/** Enrols in a journey and opens its first lesson, or opens the microcourse. */
function Start({ assignment }: { assignment: Assigned }) {
  const { t } = useText();
  const { course, slug, title } = assignment;
  const intent = `enrol-assigned-${course?.slug}-${slug}`;
  const { isSubmitting } = useSubmitting(intent);
  const label = (
    <>
      {t('learning.assigned_start')}
      <span className="sr-only"> {course?.title ?? title}</span>
    </>
  );
  if (!course) return <LinkButton to={pathOf(assignment)}>{label}</LinkButton>;
  return (
    <SmartForm intent={intent} action={pathOf(assignment)}>
      <input type="hidden" name="journey" value={slug} />
      <Button isBusy={isSubmitting}>{label}</Button>
    </SmartForm>
  );
}
