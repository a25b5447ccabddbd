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
  /** `relative` (3 hours ago) unless told; older than a month becomes a date. */
  look?: 'relative' | 'date' | 'exact';
};

/** A moment, with the exact one in its title, in the visitor's own time zone once their browser has told it. */
export function Time({ value, look = 'relative' }: Props) {
  const { date, relative } = useText();
  const exact = date(value, EXACT);
  const seconds = (Date.parse(value) - Date.now()) / 1000;
  const step = look === 'relative' ? STEPS.find(([limit]) => Math.abs(seconds) < limit) : undefined;
  const words = look === 'exact' ? exact : step ? relative(whole(seconds / step[1]), step[2]) : date(value);
  // A second may pass between server and browser, and their ICU may differ in a space: neither is worth a repaint.
  return (
    <time dateTime={value} title={exact} suppressHydrationWarning>
      {words}
    </time>
  );
}

/** What has passed counts when it is full; what is to come is rounded, so that a week set just now is not "in 6 days". */
function whole(value: number): number {
  return value < 0 ? Math.trunc(value) : Math.round(value);
}
