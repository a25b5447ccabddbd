import type { Assessment } from '@officium/contract/assessment';
import type { LocalizedText } from '@officium/contract/common';
import type { ArticleTag } from '@officium/contract/content';
import type { Evaluation } from '@officium/contract/evaluation';
import { expressionBuilder, type Nullable, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';

type Covered = {
  id: string;
  slug: string;
  cover: string | null;
  cover_alt: LocalizedText;
  can_view: string;
  can_join: string;
};
type WithTopics = { topics: ArticleTag[] };
/** The scopes of an item's product, joined as `p`. */
const selectScopes = () => {
  const eb = expressionBuilder<{ p: Nullable<DB['products']> }, 'p'>();
  return [
    eb.fn.coalesce('p.can_view', sql.lit('private')).as('can_view'),
    eb.fn.coalesce('p.can_join', sql.lit('private')).as('can_join'),
  ] as const;
};

export type AcademyOut = Covered & WithTopics & { title: LocalizedText; description: LocalizedText; courses: string[] };

/** Returns published academies in catalogue order. */
export async function findAcademiesOut(db: Db): Promise<AcademyOut[]> {
  return await db
    .selectFrom('academies as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.id')
    .select(['c.id', 'c.slug', 'c.title', 'c.description', 'c.cover', 'c.cover_alt', 'c.topics'])
    .select(selectScopes)
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('academy_courses as m')
            .innerJoin('courses as k', 'k.id', 'm.course_id')
            .innerJoin('entries as y', (join) => join.onRef('y.id', '=', 'k.id').on('y.status', '=', 'published'))
            .whereRef('m.academy_id', '=', 'c.id')
            .select((k) => k.fn.agg<string[]>('jsonb_agg', ['k.slug']).orderBy('m.position').as('slugs')),
          sql<string[]>`'[]'`,
        )
        .as('courses'),
    )
    .orderBy('c.position')
    .orderBy('c.slug')
    .$castTo<AcademyOut>()
    .execute();
}

export type CourseOut = Covered &
  WithTopics & {
    type: string;
    title: LocalizedText;
    summary: LocalizedText;
    human_translation: boolean;
  };

export async function findCoursesOut(db: Db): Promise<CourseOut[]> {
  return await db
    .selectFrom('courses as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.id')
    .select([
      'c.id',
      'c.slug',
      'c.type',
      'c.title',
      'c.summary',
      'c.human_translation',
      'c.cover',
      'c.cover_alt',
      'c.topics',
    ])
    .select(selectScopes)
    .orderBy('c.position')
    .orderBy('c.slug')
    .$castTo<CourseOut>()
    .execute();
}

export type JourneyOut = {
  key: string;
  course_id: string;
  id: string;
  slug: string;
  title: LocalizedText;
  description: LocalizedText;
  privacy: string;
  price: string | null;
  evaluation: Evaluation;
  certificate_months: number | null;
};

export async function findJourneysOut(db: Db): Promise<JourneyOut[]> {
  return await db
    .selectFrom('journeys')
    .select([
      'key',
      'course_id',
      'id',
      'slug',
      'title',
      'description',
      'privacy',
      'price',
      'evaluation',
      'certificate_months',
    ])
    .where('withdrawn_at', 'is', null)
    .orderBy('position')
    .orderBy('slug')
    .$castTo<JourneyOut>()
    .execute();
}

export type SectionOut = { key: string; journey_key: string; heading: LocalizedText };

export async function findSectionsOut(db: Db): Promise<SectionOut[]> {
  return await db
    .selectFrom('sections')
    .select(['key', 'journey_key', 'heading'])
    .orderBy('position')
    .$castTo<SectionOut>()
    .execute();
}

export type LessonOut = {
  key: string;
  section_key: string;
  id: string;
  slug: string;
  title: LocalizedText;
  minutes: number;
  mandatory: boolean;
  discussion: LocalizedText;
  assessment: Assessment | null;
};

export async function findLessonsOut(db: Db): Promise<LessonOut[]> {
  return await db
    .selectFrom('lessons')
    .select(['key', 'section_key', 'id', 'slug', 'title', 'minutes', 'mandatory', 'discussion', 'assessment'])
    .where('withdrawn_at', 'is', null)
    .where('section_key', 'is not', null)
    .orderBy('position')
    .$castTo<LessonOut>()
    .execute();
}

export type BodyOut = { owner: string; locale: string; file: string | null; source: string };

/** Returns the texts of lessons and microcourses with the key or id of their owner. */
/** Texts of lessons and microcourses, and question banks by the id of their course. */
export async function findBodiesOut(db: Db): Promise<BodyOut[]> {
  const banks = await db
    .selectFrom('course_questions')
    .select(['course_id as owner', 'locale', 'file', 'source'])
    .orderBy('locale')
    .execute();
  const texts = await db
    .selectFrom('bodies')
    .select((eb) => [
      eb.fn.coalesce(eb.cast<string | null>('lesson_key', 'text'), 'microcourse_id').as('owner'),
      'locale',
      'file',
      'source',
    ])
    .where('editorial_id', 'is', null)
    .orderBy('locale')
    .$narrowType<{ owner: string }>() // a text that is of no editorial is of a lesson or a microcourse
    .execute();
  return [...banks, ...texts];
}

export type MicrocourseOut = Covered &
  WithTopics & {
    title: LocalizedText;
    summary: LocalizedText;
    minutes: number;
    human_translation: boolean;
  };

export async function findMicrocoursesOut(db: Db): Promise<MicrocourseOut[]> {
  return await db
    .selectFrom('microcourses as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.id')
    .select([
      'c.id',
      'c.slug',
      'c.title',
      'c.summary',
      'c.minutes',
      'c.human_translation',
      'c.cover',
      'c.cover_alt',
      'c.topics',
    ])
    .select(selectScopes)
    .orderBy('c.position')
    .orderBy('c.slug')
    .$castTo<MicrocourseOut>()
    .execute();
}

export type CommunityOut = Covered & {
  title: LocalizedText;
  description: LocalizedText;
  privacy: string;
  locale: string;
  categories: string[];
  owners: string[];
};

/** Returns published communities with the e-mail addresses of owners, including those without an account. */
export async function findCommunitiesOut(db: Db): Promise<CommunityOut[]> {
  return await db
    .selectFrom('communities as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.entry_id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'c.entry_id')
    .select(['c.entry_id as id', 'c.slug', 'c.title', 'c.description', 'c.privacy', 'c.locale', 'c.categories'])
    .select(['c.cover', 'c.cover_alt'])
    .select(selectScopes)
    .select((eb) => {
      const owners = eb
        .selectFrom('community_members as m')
        .innerJoin('users as u', 'u.id', 'm.user_id')
        .whereRef('m.community_id', '=', 'c.id')
        .where('m.role', '=', 'owner')
        .where('m.status', '=', 'active')
        .where('u.email', 'is not', null)
        .where('u.erased_at', 'is', null)
        .select(['u.email', sql<number>`0`.as('nth')]);
      const claims = eb
        .selectFrom('community_owner_claims as k')
        .whereRef('k.community_id', '=', 'c.id')
        .select((k) => [k.ref('k.email').$castTo<string | null>().as('email'), k('k.position', '+', 1).as('nth')]);
      return eb.fn
        .coalesce(
          eb
            .selectFrom(owners.unionAll(claims).as('o'))
            .select((o) =>
              o.fn.agg<string[]>('jsonb_agg', ['o.email']).orderBy('o.nth').orderBy('o.email').as('emails'),
            ),
          sql<string[]>`'[]'`,
        )
        .as('owners');
    })
    .orderBy('c.position')
    .orderBy('c.slug')
    .$castTo<CommunityOut>()
    .execute();
}

export type AssetOut = { path: string; entry_id: string; key: string; mime: string };

export async function findAssetsOut(db: Db): Promise<AssetOut[]> {
  return await db.selectFrom('content_assets').select(['path', 'entry_id', 'key', 'mime']).orderBy('path').execute();
}
