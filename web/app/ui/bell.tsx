import { Bell as BellIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NavLink, useRouteLoaderData } from 'react-router';
import { useUnread } from '../live.ts';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { announce } from './announce.ts';
import { Icon } from './icon.tsx';

/** The server counts no further. */
const MOST_SHOWN = 99;

/** The viewer's unread notifications, updated live. */
export function useInboxCount(): number {
  return useUnread(useRouteLoaderData<RootData>('root')?.inbox ?? null);
}

/** Link to notifications with the unread count; renders nothing for viewers without notifications. */
export function Bell() {
  const { t, number } = useText();
  const inbox = useRouteLoaderData<RootData>('root')?.inbox ?? null;
  const unread = useUnread(inbox);
  useOnIncrease(unread, () => announce(t('notification.bell', { count: unread })));
  if (!inbox) return null;
  return (
    <NavLink to="/notifications" end className="here btn btn-quiet h-16 rounded-none text-ink max-sm:px-2.5">
      <span className="relative">
        <Icon as={BellIcon} />
        {unread ? (
          <span
            aria-hidden="true"
            className="absolute -end-2.5 -top-2 min-w-5 rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-5 font-bold text-on-accent tabular-nums"
          >
            {unread > MOST_SHOWN ? `${number(MOST_SHOWN)}+` : number(unread)}
          </span>
        ) : null}
      </span>
      <span className="sr-only">{unread ? t('notification.bell', { count: unread }) : t('notification.title')}</span>
    </NavLink>
  );
}

/** Runs `act` when the count increases. */
function useOnIncrease(count: number, act: () => void): void {
  const last = useRef(count);
  useEffect(() => {
    if (count > last.current) act();
    last.current = count;
  });
}
