import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';

type Days = { beginsOn?: string | undefined; endsOn?: string | undefined; isOver?: true | undefined };

/** Whether people can be added and invited. */
export const takesPeople = ({ archivedAt, isOver }: { archivedAt?: string | undefined; isOver?: true | undefined }) =>
  !archivedAt && !isOver;

const DAY = { dateStyle: 'medium', timeZone: 'UTC' } as const;

/** The first and last day of a cohort; nothing for a cohort without days. */
export function CohortDays({ beginsOn, endsOn, isOver }: Days) {
  const { t, date } = useText();
  const [from, to] = [beginsOn, endsOn].map((day) => (day ? date(day, DAY) : ''));
  if (!beginsOn && !endsOn) return null;
  return (
    <>
      {beginsOn && endsOn
        ? t('admin.cohorts_from_to', { from, to })
        : t(beginsOn ? 'admin.cohorts_from' : 'admin.cohorts_to', { date: from || to })}
      {isOver ? (
        <>
          {' '}
          <Tag>{t('admin.cohorts_ended')}</Tag>
        </>
      ) : null}
    </>
  );
}
