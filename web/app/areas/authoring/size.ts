import type { Text } from '../../text.tsx';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in the unit with the fewest digits. */
export function sizeText(number: Text['number'], bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), UNITS.length - 1);
  return number(bytes / 1000 ** step, { style: 'unit', unit: UNITS[step], maximumFractionDigits: step < 2 ? 0 : 1 });
}
