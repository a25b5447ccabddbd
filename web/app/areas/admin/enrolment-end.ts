/** The end of a chosen day, in UTC; null without a day. An invalid day is left for the API to refuse. */
export function endOfDay(day: string): string | null {
  const given = day.trim();
  return given === '' ? null : `${given}T23:59:59Z`;
}
