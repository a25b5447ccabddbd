export type Day<T> = {
  /** ISO date in the time zone, such as `2026-11-21`. */ date: string;
  /** 0 today, 1 yesterday. */ ago: number;
  items: T[];
};

const DAY_MS = 86_400_000;

/** Groups items by day in the viewer's time zone, in the given order. */
export function byDay<T extends { createdAt: string }>(items: readonly T[], timeZone: string, now: Date): Day<T>[] {
  // The Swedish locale formats dates as ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const today = Date.parse(format.format(now));
  const days: Day<T>[] = [];
  for (const item of items) {
    const date = format.format(new Date(item.createdAt));
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, ago: Math.round((today - Date.parse(date)) / DAY_MS), items: [item] });
  }
  return days;
}
