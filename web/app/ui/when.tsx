import type { EventSession } from '@officium/contract/events';
import { useText } from '../text.tsx';

const DAY = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

type Moments = Pick<EventSession, 'startsAt' | 'endsAt'>;

/** Date and time of a session in the reader's time zone; the zone is named, because it may not be the place's. */
export function When({ startsAt, endsAt, hasZone = false }: Moments & { hasZone?: boolean }) {
  const { date } = useText();
  const isOneDay = date(startsAt, DAY) === date(endsAt, DAY);
  const zone = hasZone ? ({ timeZoneName: 'short' } as const) : {};
  return (
    <span suppressHydrationWarning>
      <time dateTime={startsAt} suppressHydrationWarning>
        {date(startsAt, { ...DAY, ...CLOCK })}
      </time>
      {' – '}
      <time dateTime={endsAt} suppressHydrationWarning>
        {date(endsAt, { ...(isOneDay ? {} : DAY), ...CLOCK, ...zone })}
      </time>
    </span>
  );
}
