import type { EventCard, EventSession } from '@officium/contract/events';
import { useText } from '../../text.tsx';
import { Row, RowList } from '../../ui/card.tsx';
import { Tag } from '../../ui/tag.tsx';
import { When } from '../../ui/when.tsx';

/** Events with their next or last date. */
export function EventRows({ events, level = 2 }: { events: readonly EventCard[]; level?: 2 | 3 }) {
  const { t, locale } = useText();
  return (
    <RowList>
      {events.map(({ id, slug, title, summary, shownLocale, session, sessions }) => (
        <Row
          key={id}
          to={`/events/${slug}`}
          title={title}
          level={level}
          lang={shownLocale === locale ? undefined : shownLocale}
          kicker={<When {...session} />}
          meta={
            <>
              <Where session={session} />
              {sessions > 1 ? <span>{t('events.date_count', { count: sessions })}</span> : null}
              <State session={session} />
            </>
          }
        >
          {summary}
        </Row>
      ))}
    </RowList>
  );
}

export function Where({ session: { place, isOnline } }: { session: Pick<EventSession, 'place' | 'isOnline'> }) {
  const { t } = useText();
  return (
    <>
      {place ? <span dir="auto">{place}</span> : null}
      {isOnline ? <span>{t('events.online')}</span> : null}
    </>
  );
}

/** Cancelled, or the caller's own seat. */
export function State({ session: { isCancelled, mine } }: { session: EventSession }) {
  const { t } = useText();
  if (isCancelled) return <Tag look="danger">{t('events.cancelled')}</Tag>;
  if (!mine) return null;
  return mine.status === 'seat' ? (
    <Tag look="success">{t('events.have_seat')}</Tag>
  ) : (
    <Tag look="accent">{t('events.waiting_place', { place: mine.waitingPlace ?? 1 })}</Tag>
  );
}
