/** The local hour and date in a time zone. */
export type LocalMoment = { timeZone: string; hour: number; date: string; isMonday: boolean };

export function localMoment(timeZone: string, at: Date): LocalMoment {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    timeZone,
    hour: Number(part('hour')),
    date: `${part('year')}-${part('month')}-${part('day')}`,
    isMonday: part('weekday') === 'Mon',
  };
}
