import type { Locale, LocalizedText } from '@officium/contract/common';
import type { ArticleTag } from '@officium/contract/content';
import { type Expression, type ExpressionBuilder, expressionBuilder, type Nullable, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import { anyOfUnseen } from './any-of.sql.ts';
import { assetKeysOf } from './asset-keys.sql.ts';
import type { DB } from '#server/db/schema.ts';
import type { JourneyWithAccess } from './catalogue.policy.ts';

export type JourneyFacts = JourneyWithAccess & {
  minutes: number;
  lessons: number;
  /** Number of lessons with a text, by locale. */
  written: Partial<Record<Locale, number>>;
};

type Tagged = { topics: ArticleTag[] };
type Covered = { cover_key: string | null; cover_alt: LocalizedText };
type Scoped = { can_view: Scope; can_join: Scope };

export type CourseFactsRow = Covered &
  Tagged &
  Scoped & {
    id: string;
    slug: string;
    type: 'Public' | 'Private';
    /** True when an administrator has set the scopes. */
    is_set: boolean;
    title: LocalizedText;
    summary: LocalizedText;
    human_translation: boolean;
    journeys: JourneyFacts[];
  };

/** The scopes of a journey's product, joined as `q`; null without a product. */
export const scopesOfJourney = sql`
  case when q.entry_id is not null then jsonb_build_object('canView', q.can_view, 'canJoin', q.can_join,
    'isSet', q.is_set) end`;

/** Selects rows by slug or id; undefined selects all. */
export type NamedBy = { by: 'slug' | 'id'; values: string[] } | undefined;
type Selection = { userId: string; named?: NamedBy };

/**
 * Returns published courses with the viewer's access to their journeys. A cohort that includes the course or a journey
 * makes the journey `granted`. Lessons are counted per journey by index, because a database without statistics would
 * repeat one joint count for every course.
 */
export async function findCourseFacts(db: Db, { userId, named }: Selection): Promise<CourseFactsRow[]> {
  let found = db
    .selectFrom('courses as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.id')
    .leftJoin('content_assets as f', 'f.path', 'c.cover')
    .leftJoinLateral(
      (eb) => journeyFacts(eb, userId).as('j'),
      (join) => join.onTrue(),
    );
  if (named) found = found.where(`c.${named.by}`, '=', anyOfUnseen(named.values, 'text'));
  return await found
    .select(['c.id', 'c.slug', 'c.type', 'c.title', 'c.summary', 'c.human_translation', 'c.cover_alt', 'c.topics'])
    .select(scopesAndCover)
    .select((eb) => [
      eb.fn.coalesce('p.is_set', sql.lit(false)).as('is_set'),
      eb.fn.coalesce('j.journeys', sql<JourneyFacts[]>`'[]'`).as('journeys'),
    ])
    .orderBy('c.position')
    .orderBy('c.slug')
    .$narrowType<Pick<CourseFactsRow, 'type' | 'title' | 'summary' | 'cover_alt' | 'topics'>>()
    .execute();
}

/** Aggregates the journeys of course `c`. */
function journeyFacts(eb: ExpressionBuilder<DB & { c: DB['courses'] }, 'c'>, userId: string) {
  return eb
    .selectFrom('journeys as j')
    .leftJoin('entries as y', 'y.id', 'j.entry_id')
    .leftJoin('products as q', 'q.entry_id', 'j.entry_id')
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('lessons as l')
        .whereRef('l.journey_key', '=', 'j.key')
        .where('l.withdrawn_at', 'is', null)
        .select((l) => [l.fn.countAll<number>().as('lessons'), l.fn.sum<number | null>('l.minutes').as('minutes')])
        .as('n'),
    )
    .crossJoinLateral((eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom('lessons as l')
            .innerJoin('bodies as b', 'b.lesson_key', 'l.key')
            .whereRef('l.journey_key', '=', 'j.key')
            .where('l.withdrawn_at', 'is', null)
            .groupBy('b.locale')
            .select((l) => ['b.locale', l.fn.countAll<number>().as('texts')])
            .as('t'),
        )
        .select((t) =>
          sql<JourneyFacts['written'] | null>`jsonb_object_agg(${t.ref('t.locale')}, ${t.ref('t.texts')})`.as(
            'written',
          ),
        )
        .as('w'),
    )
    .leftJoin('journey_enrolments as e', (join) =>
      join.onRef('e.journey_key', '=', 'j.key').on('e.user_id', '=', userId),
    )
    .whereRef('j.course_id', '=', 'c.id')
    .where('j.withdrawn_at', 'is', null)
    .where((eb) => eb.fn.coalesce(eb('y.status', '=', 'published'), sql<boolean>`true`))
    .select((eb) =>
      sql<JourneyFacts[] | null>`jsonb_agg(jsonb_build_object(
        'privacy', ${eb.ref('j.privacy')},
        'scopes', ${scopesOfJourney},
        'granted', ${isGranted(userId, eb.ref('c.id'))} or coalesce(${isGranted(userId, eb.ref('j.entry_id'))}, false),
        'enrolled', coalesce(enrolment_status(${eb.ref('e.status')}, ${eb.ref('e.expires_on')}) = 'enrolled', false),
        'minutes', coalesce(${eb.ref('n.minutes')}, 0),
        'lessons', ${eb.ref('n.lessons')},
        'written', coalesce(${eb.ref('w.written')}, '{}')))`.as('journeys'),
    );
}

type ItemTables = { p: Nullable<DB['products']>; f: Nullable<DB['content_assets']> };

/** The scopes of an item's product and the key of its cover, joined as `p` and `f`. */
const scopesAndCover = () => {
  const eb = expressionBuilder<ItemTables, keyof ItemTables>();
  return [
    eb.fn.coalesce('p.can_view', sql.lit('private')).$castTo<Scope>().as('can_view'),
    eb.fn.coalesce('p.can_join', sql.lit('private')).$castTo<Scope>().as('can_join'),
    eb.ref('f.key').as('cover_key'),
  ] as const;
};

const isGranted = (userId: string, entryId: Expression<string | null>) =>
  sql<boolean>`is_granted(${userId}, ${entryId})`;

/** Returns published academies with the viewer's membership. */
export async function findAcademyFacts(db: Db, { userId, named }: Selection) {
  let found = db
    .selectFrom('academies as a')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'a.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'a.id')
    .leftJoin('content_assets as f', 'f.path', 'a.cover');
  if (named) found = found.where(`a.${named.by}`, '=', anyOfUnseen(named.values, 'text'));
  return await found
    .select(['a.id', 'a.slug', 'a.title', 'a.description', 'a.cover_alt', 'a.topics'])
    .select(scopesAndCover)
    .select((eb) => [
      eb.fn
        .coalesce(
          eb
            .selectFrom('academy_courses as m')
            .whereRef('m.academy_id', '=', 'a.id')
            .select((m) => m.fn.agg<string[]>('jsonb_agg', ['m.course_id']).orderBy('m.position').as('ids')),
          sql<string[]>`'[]'`,
        )
        .as('course_ids'),
      eb
        .exists(
          eb
            .selectFrom('academy_members as m')
            .whereRef('m.academy_id', '=', 'a.id')
            .where('m.user_id', '=', userId)
            .select('m.user_id'),
        )
        .$castTo<boolean>()
        .as('is_member'),
      // Granted by a cohort that includes the academy.
      isGranted(userId, eb.ref('a.id')).as('is_granted'),
      eb
        .selectFrom('academy_members as m')
        .whereRef('m.academy_id', '=', 'a.id')
        .select((m) => m.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('members'),
    ])
    .orderBy('a.position')
    .orderBy('a.slug')
    .$narrowType<{ title: LocalizedText; description: LocalizedText; cover_alt: LocalizedText } & Tagged>()
    .execute();
}

export type AcademyFactsRow = Awaited<ReturnType<typeof findAcademyFacts>>[number];

/** Returns published microcourses with the viewer's access. */
export async function findMicrocourseFacts(db: Db, { userId, named }: Selection) {
  let found = db
    .selectFrom('microcourses as m')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'm.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'm.id')
    .leftJoin('content_assets as f', 'f.path', 'm.cover');
  if (named) found = found.where(`m.${named.by}`, '=', anyOfUnseen(named.values, 'text'));
  return await found
    .select(['m.id', 'm.slug', 'm.title', 'm.summary', 'm.minutes', 'm.human_translation', 'm.cover_alt', 'm.topics'])
    .select(scopesAndCover)
    .select((eb) => [
      eb.fn
        .coalesce(
          eb
            .selectFrom('bodies as b')
            .whereRef('b.microcourse_id', '=', 'm.id')
            .select((b) => b.fn.agg<Locale[]>('jsonb_agg', ['b.locale']).orderBy('b.locale').as('locales')),
          sql<Locale[]>`'[]'`,
        )
        .as('locales'),
      isGranted(userId, eb.ref('m.id')).as('is_granted'),
      eb
        .selectFrom('microcourse_completions as done')
        .whereRef('done.microcourse_id', '=', 'm.id')
        .where('done.user_id', '=', userId)
        .select('done.completed_at')
        .as('completed_at'),
    ])
    .orderBy('m.position')
    .orderBy('m.slug')
    .$narrowType<{ title: LocalizedText; summary: LocalizedText; cover_alt: LocalizedText } & Tagged>()
    .execute();
}

export type MicrocourseFactsRow = Awaited<ReturnType<typeof findMicrocourseFacts>>[number];

export type MicrocourseBodyRow = {
  locale: Locale;
  title: string | null;
  html: string;
  headings: { level: number; id: string; text: string }[];
  /** Keys of the microcourse's own pictures and media. */
  asset_keys: string[];
};

/** Returns the text in the first available language of `chain`, else in any language. */
export async function getMicrocourseBody(
  db: Db,
  { id, chain }: { id: string; chain: Locale[] },
): Promise<MicrocourseBodyRow | undefined> {
  return await db
    .selectFrom('bodies')
    .select(['locale', 'title', 'html', 'headings'])
    .select((eb) => assetKeysOf(eb, 'bodies.microcourse_id').as('asset_keys'))
    .where('microcourse_id', '=', id)
    .orderBy(
      (eb) => sql`array_position(${chain}::text[], ${eb.ref('locale')})`,
      (order) => order.asc().nullsLast(),
    )
    .orderBy('locale')
    .limit(1)
    .$narrowType<Pick<MicrocourseBodyRow, 'locale' | 'headings'>>()
    .executeTakeFirst();
}

export async function insertAcademyMember(
  db: Db,
  { academyId, userId }: { academyId: string; userId: string },
): Promise<void> {
  await db
    .insertInto('academy_members')
    .values({ academy_id: academyId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
