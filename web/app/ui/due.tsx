import { useText } from '../text.tsx';

/** A due date, and how late it is. */
export type DueProps = { dueOn: string; daysLate: number };

export function Due({ dueOn, daysLate }: DueProps) {
  const { t, rich, date } = useText();
  const day = <time dateTime={dueOn}>{date(dueOn, { dateStyle: 'medium', timeZone: 'UTC' })}</time>;
  return (
    <span className={daysLate > 0 ? 'font-semibold text-danger' : undefined}>
      {rich('learning.due_on', { date: day })}
      {daysLate > 0 ? <> · {t('learning.days_late', { count: daysLate })}</> : null}
    </span>
  );
}
