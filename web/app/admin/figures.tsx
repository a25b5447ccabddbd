import { useText } from '../text.tsx';

/** A row of numbers, each with its label. */
export function Figures({ figures }: { figures: readonly { label: string; value: number }[] }) {
  const { number } = useText();
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4 border-y border-line py-5">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-serif text-3xl tabular-nums">{number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
