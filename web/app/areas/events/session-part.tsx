import type { Event, EventSession } from '@officium/contract/events';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Where } from './event-rows.tsx';
import { When } from '../../ui/when.tsx';

type Props = { session: EventSession; isOver: boolean };

/** One date of an event: when, where, seats, and the way in or out. Works without scripts. */
export function SessionPart({ session, isOver }: Props) {
  const { t } = useText();
  const { id, isCancelled, mine, link, recording } = session;
  return (
    <li id={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-lg font-semibold">
          <When {...session} hasZone />
        </p>
        <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-muted">
          <Where session={session} />
          <Seats session={session} isOver={isOver} />
        </p>
        {isCancelled ? (
          <p className="mt-2">
            <Tag look="danger">{t('events.cancelled')}</Tag>
          </p>
        ) : isOver ? (
          <p className="mt-2 text-muted">{t('events.over')}</p>
        ) : mine ? (
          <p className="mt-2 font-semibold">
            {mine.status === 'seat'
              ? t('events.have_seat')
              : t('events.waiting_place', { place: mine.waitingPlace ?? 1 })}
          </p>
        ) : null}
        {link && !isOver && !isCancelled ? (
          <p className="mt-2">
            <a href={link} rel="noreferrer" className="link inline-block py-1.5">
              {t('events.join_online')}
            </a>
          </p>
        ) : null}
        {recording && isOver ? (
          <p className="mt-2">
            <a href={recording} rel="noreferrer" className="link inline-block py-1.5">
              {t('events.recording')}
            </a>
          </p>
        ) : null}
      </div>
      <Way session={session} />
    </li>
  );
}

function Seats({ session: { capacity, taken, waiting, isCancelled }, isOver }: Props) {
  const { t } = useText();
  if (capacity === null || isOver || isCancelled) return null;
  return (
    <>
      <span>{t('events.seats_left', { count: Math.max(capacity - taken, 0) })}</span>
      {waiting > 0 ? <span>{t('events.waiting_count', { count: waiting })}</span> : null}
    </>
  );
}

function Way({ session: { id, can, mine, capacity, taken } }: Pick<Props, 'session'>) {
  const { t } = useText();
  const intent = can.leave ? `leave-${id}` : `register-${id}`;
  const { isSubmitting } = useSubmitting(intent);
  if (!can.register && !can.leave) return null;
  const isFull = capacity !== null && taken >= capacity;
  const label = can.leave
    ? t(mine?.status === 'seat' ? 'events.leave' : 'events.leave_waiting')
    : t(isFull ? 'events.join_waiting' : 'events.register');
  return (
    <SmartForm intent={intent} className="max-sm:w-full">
      <input type="hidden" name="session" value={id} />
      <input type="hidden" name="do" value={can.leave ? 'leave' : 'register'} />
      <Button look={can.leave ? 'secondary' : 'primary'} isBusy={isSubmitting} className="max-sm:w-full">
        {label}
      </Button>
    </SmartForm>
  );
}

/** Sessions that have not ended, then the others, newest first. */
export function inOrder(sessions: Event['sessions'], now: string): { upcoming: EventSession[]; past: EventSession[] } {
  const isOver = ({ endsAt }: EventSession) => endsAt <= now;
  return {
    upcoming: sessions.filter((session) => !isOver(session)),
    past: sessions.filter(isOver).toReversed(),
  };
}
