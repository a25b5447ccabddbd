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
  const age = look === 'relative' ? ageOf(value) : undefined;
  const words = look === 'exact' ? exact : age ? relative(...age) : date(value);
  // Time passes between server and browser, and their ICU data may differ in whitespace: neither is worth a re-render.
  return (
    <time dateTime={value} title={exact} suppressHydrationWarning>
      {words}
    </time>
  );
}

/** The time from now in the unit that is shown, as -3 and `hour`; undefined beyond a month, where the date is shown. */
export function ageOf(value: string, now = Date.now()): [number, Intl.RelativeTimeFormatUnit] | undefined {
  const seconds = (Date.parse(value) - now) / 1000;
  const step = STEPS.find(([limit]) => Math.abs(seconds) < limit);
  return step && [whole(seconds / step[1]), step[2]];
}

/** Past units count when complete; future ones are rounded, so that a week set just now is not "in 6 days". */
function whole(value: number): number {
  return value < 0 ? Math.trunc(value) : Math.round(value);
}
