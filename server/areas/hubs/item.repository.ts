import type { Locale, LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';

export type ItemRow = {
  key: string;
  page: Page;
  title: LocalizedText;
  summary: LocalizedText;
  cover_key: string | null;
  cover_alt: LocalizedText;
};

const NO_COVER = [sql<null>`null`.as('cover_key'), sql<LocalizedText>`'{}'::jsonb`.as('cover_alt')] as const;

export type LessonItemRow = ItemRow & { course_slug: string; journey_key: string };

/** Lessons that were not withdrawn, whoever may see them. */
export async function findLessonItems(db: Db, keys: string[]): Promise<LessonItemRow[]> {
  if (keys.length === 0) return [];
  return await db
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', (join) => join.onRef('j.key', '=', 'l.journey_key').on('j.withdrawn_at', 'is', null))
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select(({ ref }) => [
      'l.key',
      sql<Page>`array['lesson', ${ref('c.slug')}, ${ref('j.slug')}, ${ref('l.slug')}]`.as('page'),
      'l.title',
      'c.title as summary',
      ...NO_COVER,
      'c.slug as course_slug',
      'j.key as journey_key',
    ])
    .where('l.key', '=', ({ fn, val }) => fn.any(val(keys)))
    .where('l.withdrawn_at', 'is', null)
    .$narrowType<{ title: LocalizedText; summary: LocalizedText }>()
    .execute();
}

export type CommunityItemRow = ItemRow & { slug: string };

/** Published communities, whoever may see them. */
export async function findCommunityItems(db: Db, ids: string[]): Promise<CommunityItemRow[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('communities as c')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.entry_id').on('x.status', '=', 'published'))
    .leftJoin('content_assets as f', 'f.path', 'c.cover')
    .select(({ ref }) => [
      'c.id as key',
      'c.slug',
      sql<Page>`array['community', ${ref('c.slug')}]`.as('page'),
      'c.title',
      'c.description as summary',
      'f.key as cover_key',
      'c.cover_alt',
    ])
    .where('c.id', '=', ({ fn, val }) => fn.any(val(ids)))
    .$narrowType<{ title: LocalizedText; summary: LocalizedText; cover_alt: LocalizedText }>()
    .execute();
}

/** Articles that were not withdrawn; everybody may read them. */
export async function findArticleItems(db: Db, ids: string[]): Promise<(ItemRow & { locale: Locale })[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('articles')
    .select(({ ref }) => [
      'id as key',
      'locale',
      sql<Page>`array['article', ${ref('slug')}]`.as('page'),
      sql<LocalizedText>`jsonb_build_object(${ref('locale')}, ${ref('title')})`.as('title'),
      sql<LocalizedText>`jsonb_build_object(${ref('locale')}, ${ref('subtitle')})`.as('summary'),
      ...NO_COVER,
    ])
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .where('withdrawn_at', 'is', null)
    .$narrowType<{ locale: Locale }>()
    .execute();
}
