import type { Locale, LocalizedText } from '@officium/contract/common';
import { type Expression, type ExpressionBuilder, type Nullable, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Scope } from '#server/access/can.ts';
import { NOW } from '#server/db/client.ts';
import type {
  ContentAssets,
  DB,
  Editorials,
  EventRegistrations,
  Events,
  EventSessions,
  Products,
} from '#server/db/schema.ts';
import type { EventRow, EventSessionRow } from './event.rows.ts';

type OfEvent = ExpressionBuilder<
  DB & { v: Events; e: Editorials; p: Nullable<Products>; f: Nullable<ContentAssets> },
  'v' | 'e' | 'p' | 'f'
>;
/** The types of an event's JSON columns. */
export type EventTexts = Pick<EventRow, 'title' | 'summary' | 'cover_alt'>;

export const scopeOf = (scope: Expression<string | null>) => sql<Scope>`coalesce(${scope}, 'private')`;
export const isGranted = (userId: string, id: Expression<string>) => sql<boolean>`is_granted(${userId}, ${id})`;
export const isOneOf = (scope: Expression<string | null>, scopes: Scope[]) =>
  sql<boolean>`${scopeOf(scope)} = any(${scopes}::text[])`;

export function eventColumns(eb: OfEvent, userId: string) {
  return [
    'e.id',
    'e.slug',
    'e.title',
    'e.summary',
    'f.key as cover_key',
    'e.cover_alt',
    'e.human_translation',
    scopeOf(eb.ref('p.can_view')).as('can_view'),
    scopeOf(eb.ref('p.can_join')).as('can_join'),
    isGranted(userId, eb.ref('e.id')).as('is_granted'),
    eb
      .selectFrom('bodies as b')
      .select(({ ref }) => {
        const locale = ref('b.locale');
        return sql<Locale[]>`coalesce(jsonb_agg(${locale} order by ${locale}), '[]')`.as('locales');
      })
      .whereRef('b.editorial_id', '=', 'e.id')
      .$asScalar()
      .$notNull()
      .as('locales'),
    jsonObjectFrom(
      eb
        .selectFrom('communities as y')
        .select(['y.slug', 'y.title'])
        .whereRef('y.id', '=', 'v.community_id')
        .$narrowType<{ title: LocalizedText }>(),
    ).as('community'),
    jsonObjectFrom(
      eb
        .selectFrom('courses as c')
        .select(['c.slug', 'c.title'])
        .whereRef('c.id', '=', 'v.course_id')
        .$narrowType<{ title: LocalizedText }>(),
    ).as('course'),
  ] as const;
}

/** The number of seats taken in session `s`, and of those who wait for one. */
export const seatsOf = (eb: ExpressionBuilder<DB & { s: EventSessions }, 's'>) =>
  eb
    .selectFrom('event_registrations as c')
    .select(({ ref }) => [
      sql<number>`(count(*) filter (where ${ref('c.status')} = 'seat'))::int`.as('taken'),
      sql<number>`(count(*) filter (where ${ref('c.status')} = 'waiting'))::int`.as('waiting'),
    ])
    .whereRef('c.session_id', '=', 's.id')
    .as('n');

type OfSession = ExpressionBuilder<
  DB & {
    v: Events;
    s: EventSessions;
    r: Nullable<EventRegistrations>;
    n: { taken: number; waiting: number };
  },
  'v' | 's' | 'r' | 'n'
>;

/** The columns of session `s` of event `v`, with the registration of a person as `r` and the seats as `n`. */
export function sessionColumns(eb: OfSession) {
  const place = eb
    .selectFrom('event_registrations as w')
    .select(sql<number>`count(*)::int`.as('place'))
    .whereRef('w.session_id', '=', 's.id')
    .where('w.status', '=', 'waiting')
    .where(({ ref }) => {
      const own = sql`(${ref('r.created_at')}, ${ref('r.user_id')})`;
      return sql<boolean>`(${ref('w.created_at')}, ${ref('w.user_id')}) <= ${own}`;
    });
  return [
    's.id',
    's.event_id',
    's.starts_at',
    's.ends_at',
    'v.time_zone',
    eb.fn.coalesce('s.place', 'v.place').as('place'),
    eb.fn.coalesce('s.link', 'v.link').as('link'),
    eb.fn.coalesce('s.recording', 'v.recording').as('recording'),
    eb.fn.coalesce('s.capacity', 'v.capacity').as('capacity'),
    eb('s.cancelled_at', 'is not', null).$castTo<boolean>().as('is_cancelled'),
    eb('s.ends_at', '<=', NOW).$castTo<boolean>().as('is_over'),
    's.sequence',
    's.changed_at',
    'n.taken',
    'n.waiting',
    eb.ref('r.status').$castTo<EventSessionRow['status']>().as('status'),
    sql<number | null>`case when ${eb.ref('r.status')} = 'waiting' then ${place} end`.as('waiting_place'),
  ] as const;
}
