const PARTS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** A moment as a `datetime-local` field shows it in a time zone: `2026-11-27T09:30`. */
export function toWallTime(moment: string | Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...PARTS });
  const part = Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  return `${part['year']?.padStart(4, '0')}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}`;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** The moment of a `datetime-local` value in a time zone; undefined for no date. A time that clocks skip moves on. */
export function fromWallTime(value: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${value}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/.test(value) || Number.isNaN(asUtc)) return undefined;
  const offsetAt = (moment: number) => Date.parse(`${toWallTime(new Date(moment), timeZone)}Z`) - moment;
  const rounded = Math.floor(asUtc / MINUTE_MS) * MINUTE_MS;
  // The offset a day before is that of before a change of the clocks; the moment tells whether it had changed by then.
  const before = rounded - offsetAt(rounded - DAY_MINUTES * MINUTE_MS);
  const after = rounded - offsetAt(before);
  const isReal = toWallTime(new Date(after), timeZone) === toWallTime(new Date(rounded), 'UTC');
  return new Date(isReal ? after : before).toISOString();
}
