import { Link, useRouteLoaderData } from 'react-router';
import { type Event, leaveSession, readEvent, registerForSession } from '@officium/contract/events';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { textOf } from '../../form/fields.ts';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd, useOrganization } from '../../ui/json-ld.tsx';
import { BlockText } from '../../ui/block-text.tsx';
import type { Route } from './+types/event.page';
import { inOrder, SessionPart } from './session-part.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer, locale } = await load(request, context);
  const event = await api(readEvent, { params, query: { locale } });
  return { event, now: new Date().toISOString(), isOffice: viewer?.role === 'administrator' };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const session = { params: { id: textOf(fields, 'session') } };
  const here = `/events/${encodeURIComponent(params.slug)}`;
  if (fields.get('do') === 'leave') {
    const left = await attempt(leaveSession, session);
    return left.ok ? redirectWith(here, { key: 'events.left' }) : left.refusal;
  }
  const taken = await attempt(registerForSession, session);
  if (!taken.ok) return taken.refusal;
  const { status, waitingPlace } = taken.body;
  return status === 'seat'
    ? redirectWith(here, { key: 'events.have_seat' })
    : redirectWith(here, { key: 'events.waiting_place', values: { place: waitingPlace ?? 1 }, tone: 'info' });
}

export default function EventPage({ loaderData: { event, now, isOffice } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const { slug, title, summary, shownLocale, cover, html, community, course } = event;
  const lang = shownLocale === locale ? undefined : shownLocale;
  const bodyLocale = event.bodyLocale ?? shownLocale;
  return (
    <article className="page py-8 md:py-12">
      <Head title={title} description={summary} trail={[{ name: t('events.title'), path: '/events' }]} />
      <Facts event={event} />
      <div className="mx-auto max-w-read">
        {cover ? (
          <div className="no-print mb-7 aspect-[21/6] overflow-hidden rounded">
            <Cover slug={slug} src={cover.url} alt={cover.alt} />
          </div>
        ) : null}
        <header className="border-b border-line pb-5">
          <p className="eyebrow">
            <Link to="/events" className="link inline-block py-1">
              {t('events.title')}
            </Link>
          </p>
          <h1 className="mt-1 text-4xl sm:text-5xl" lang={lang} dir={lang ? 'auto' : undefined}>
            {title}
          </h1>
          {summary ? (
            <p className="mt-3 text-lg text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
              {summary}
            </p>
          ) : null}
          {community || course ? (
            <p className="mt-3 flex flex-wrap gap-x-5">
              {community ? (
                <Link to={`/communities/${community.slug}`} className="link inline-block py-1" dir="auto">
                  {community.title}
                </Link>
              ) : null}
              {course ? (
                <Link to={`/courses/${course.slug}`} className="link inline-block py-1" dir="auto">
                  {course.title}
                </Link>
              ) : null}
            </p>
          ) : null}
        </header>
        <Dates event={event} now={now} />
        <div className="pt-8 font-serif [&_table]:font-sans [&_table]:text-base">
          <BlockText html={html ?? ''} lang={bodyLocale === locale ? undefined : bodyLocale} />
        </div>
        <p className="no-print mt-12 flex flex-wrap gap-x-6 border-t-2 border-ink pt-5">
          <Link to="/events" className="link inline-block py-1.5">
            {t('events.all')}
          </Link>
          {isOffice ? (
            <Link to={`/admin/events/${slug}`} className="link inline-block py-1.5">
              {t('events.registrations')}
            </Link>
          ) : null}
        </p>
      </div>
    </article>
  );
}

function Dates({ event, now }: { event: Event; now: string }) {
  const { t } = useText();
  const { slug, sessions, joining } = event;
  const { upcoming, past } = inOrder(sessions, now);
  return (
    <section aria-labelledby="dates" className="mt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="dates" className="text-2xl">
          {t('events.dates')}
        </h2>
        {/* A file of the API, not a route. */}
        <a
          href={`/api/content/events/by-slug/${slug}/calendar.ics`}
          className="link no-print inline-block py-1.5"
          download
        >
          {t('events.calendar_file')}
        </a>
      </div>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {upcoming.map((session) => (
          <SessionPart key={session.id} session={session} isOver={false} />
        ))}
        {past.map((session) => (
          <SessionPart key={session.id} session={session} isOver />
        ))}
      </ul>
      {upcoming.length === 0 || joining === 'yes' ? null : joining === 'sign-in' ? (
        <p className="no-print mt-5">
          <LinkButton to={`/login?next=${encodeURIComponent(`/events/${slug}`)}`} className="max-sm:w-full">
            {t('events.sign_in')}
          </LinkButton>
        </p>
      ) : (
        <p className="mt-5 text-muted">{t('events.may_not')}</p>
      )}
    </section>
  );
}

/** https://schema.org/Event, one for each date to come. */
function Facts({ event: { title, summary, slug, sessions, cover } }: { event: Event }) {
  const origin = useRouteLoaderData<RootData>('root')?.origin ?? '';
  const organizer = useOrganization();
  const [first] = sessions.filter((session) => !session.isCancelled);
  if (!first) return null;
  const url = `${origin}/events/${slug}`;
  return (
    <JsonLd
      data={{
        '@type': 'Event',
        name: title,
        description: summary,
        startDate: first.startsAt,
        endDate: first.endsAt,
        url,
        location: first.place
          ? { '@type': 'Place', name: first.place, address: first.place }
          : { '@type': 'VirtualLocation', url },
        ...(cover ? { image: origin + cover.url } : {}),
        organizer,
      }}
    />
  );
}
