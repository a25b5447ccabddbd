export type Day<T> = {
  /** As `2026-11-21`, in the time zone. */ date: string;
  /** 0 today, 1 yesterday. */ ago: number;
  items: T[];
};

const DAY_MS = 86_400_000;

/** What happened, by day where the reader is; in the order given. */
export function byDay<T extends { createdAt: string }>(items: readonly T[], timeZone: string, now: Date): Day<T>[] {
  // Sweden writes dates as ISO 8601 does.
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
