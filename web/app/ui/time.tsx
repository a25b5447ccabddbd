import { useText } from '../text.tsx';

const STEPS: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [7 * 86_400, 86_400, 'day'],
  [30 * 86_400, 7 * 86_400, 'week'],
];

const EXACT = { dateStyle: 'long', timeStyle: 'short' } as const;

type Props = {
  /** ISO 8601. */
  value: string;
  /** `relative` (3 hours ago) by default; beyond a month it becomes a date. */
  look?: 'relative' | 'date' | 'exact';
};

/** A time with its exact value as title, in the visitor's time zone once their browser has reported it. */
export function Time({ value, look = 'relative' }: Props) {
  const { date, relative } = useText();
  const exact = date(value, EXACT);
  const seconds = (Date.parse(value) - Date.now()) / 1000;
  const step = look === 'relative' ? STEPS.find(([limit]) => Math.abs(seconds) < limit) : undefined;
  const words = look === 'exact' ? exact : step ? relative(whole(seconds / step[1]), step[2]) : date(value);
  // Time passes between server and browser, and their ICU data may differ in whitespace: neither is worth a re-render.
  return (
    <time dateTime={value} title={exact} suppressHydrationWarning>
      {words}
    </time>
  );
}

/** Past units count when complete; future ones are rounded, so that a week set just now is not "in 6 days". */
function whole(value: number): number {
  return value < 0 ? Math.trunc(value) : Math.round(value);
}
