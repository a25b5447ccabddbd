import type { JobAnalysisCard } from '@officium/contract/job-tasks';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';

type Props = {
  /** Days an analysis is kept without being repeated. */
  days: number;
  analyses: readonly JobAnalysisCard[];
  previous: string | undefined;
  next: string | undefined;
};

/** Earlier analyses, to open again or delete. */
export function PastAnalyses({ days, analyses, previous, next }: Props) {
  const { t } = useText();
  return (
    <section aria-labelledby="past">
      <h2 id="past" className="text-2xl">
        {t('task.past')}
      </h2>
      <p className="mt-1.5 text-sm text-muted">{t('task.past_text', { days })}</p>
      {analyses.length ? (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {analyses.map((analysis) => (
            <Past key={analysis.threadId} analysis={analysis} />
          ))}
        </ul>
      ) : null}
      <Pagination previous={previous} next={next} />
    </section>
  );
}

function Past({ analysis: { threadId, jobTitle, organization, tasks, askedAt } }: { analysis: JobAnalysisCard }) {
  const { t } = useText();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-40">
        <h3 className="text-xl">
          <Link to={`/tasks/${threadId}`} className="title-link">
            <bdi>{jobTitle}</bdi>
          </Link>
        </h3>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          {organization ? <bdi>{organization}</bdi> : null}
          <span>{t('task.given', { count: tasks })}</span>
          <Time value={askedAt} />
        </p>
      </div>
      <ConfirmAction
        intent={`delete-${threadId}`}
        label={t('common.delete')}
        about={jobTitle}
        fields={{ threadId }}
        look="quiet"
      >
        {t('task.delete_text')}
      </ConfirmAction>
    </li>
  );
}
