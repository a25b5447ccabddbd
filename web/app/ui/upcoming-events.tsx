import type { EventCard } from '@officium/contract/events';
import { Link } from 'react-router';
import { useText } from '../text.tsx';
import { When } from './when.tsx';

/** The next events, at the side of a page. */
export function UpcomingEvents({ events, small = false }: { events: readonly EventCard[]; small?: boolean }) {
  const { t, locale } = useText();
  return (
    <section aria-labelledby="upcoming-events">
      <h2 id="upcoming-events" className={small ? 'text-xl' : 'text-2xl'}>
        {t('events.upcoming_title')}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {events.map(({ id, slug, title, shownLocale, session }) => (
          <li key={id} className="py-3">
            <Link
              to={`/events/${slug}`}
              className="title-link font-semibold"
              lang={shownLocale === locale ? undefined : shownLocale}
              dir="auto"
            >
              {title}
            </Link>
            <p className="text-sm text-muted">
              <When {...session} />
            </p>
          </li>
        ))}
      </ul>
      <Link to="/events" className="link mt-2 inline-block py-1.5">
        {t('events.all')}
      </Link>
    </section>
  );
}
