import { useText } from '../text.tsx';

type Props = {
  /** Accessible name. */
  label: string;
  value: number;
  max: number;
  /** Text beside the bar instead of the percentage. */
  caption?: string;
};

/** A progress bar with text. */
export function Progress({ label, value, max, caption }: Props) {
  const { number } = useText();
  const share = max > 0 ? Math.min(value / max, 1) : 0;
  return (
    <div className="flex items-center gap-3">
      <progress aria-label={label} value={Math.min(value, max)} max={max || 1} />
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {caption ?? number(share, { style: 'percent', maximumFractionDigits: 0 })}
      </span>
    </div>
  );
}
