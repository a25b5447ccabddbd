import { useText } from '../../text.tsx';

type Props = {
  /** Id prefix of its title and description, for screen readers. */
  id: string;
  title: string;
  description: string;
  /** Oldest first; the last week is still running. */
  values: readonly number[];
  /** Says the week and value of a bar, shown when it is pointed at. */
  sayBar: (nth: number) => string;
};

const STEP = 10;
const HEIGHT = 60;
/** Minimum bar height, so that an empty week stays visible. */
const LEAST = 0.75;

/** One bar per week, the current one outlined. Time runs in the direction of the language. */
export function WeekChart({ id, title, description, values, sayBar }: Props) {
  const { dir } = useText();
  const most = Math.max(...values, 1);
  const width = values.length * STEP;
  const gap = values.length > 26 ? 1.5 : 2.5;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={`${id}-title ${id}-desc`}
      className={`block h-24 w-full border-b border-edge ${dir === 'rtl' ? '-scale-x-100' : ''}`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      {values.map((value, nth) => {
        const isOpen = nth === values.length - 1;
        const height = Math.max(value > 0 ? (value / most) * (HEIGHT - 1) : 0, LEAST);
        return (
          <rect
            key={nth}
            x={nth * STEP + gap / 2}
            y={HEIGHT - height}
            width={STEP - gap}
            height={height}
            vectorEffect="non-scaling-stroke"
            className={isOpen ? OPEN : value > 0 ? FULL : NONE}
          >
            <title>{sayBar(nth)}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const FULL = 'fill-accent forced-colors:fill-[CanvasText]';
const OPEN = 'fill-accent-soft stroke-accent forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]';
const NONE = 'fill-edge forced-colors:fill-[GrayText]';
