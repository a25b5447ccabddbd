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

export type LessonItemRow = ItemRow & { course_slug: string; journey_key: string };

/** Lessons that were not withdrawn, whoever may see them. */
export async function findLessonItems(db: Db, keys: string[]): Promise<LessonItemRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<LessonItemRow>`
    select l.key, array['lesson', c.slug, j.slug, l.slug] as page, l.title, c.title as summary, null as cover_key,
      '{}'::jsonb as cover_alt, c.slug as course_slug, j.key as journey_key
    from lessons l
    join journeys j on j.key = l.journey_key and j.withdrawn_at is null
    join courses c on c.id = j.course_id
    where l.key = any(${keys}::uuid[]) and l.withdrawn_at is null`.execute(db);
  return rows;
}

export type CommunityItemRow = ItemRow & { slug: string };

/** Published communities, whoever may see them. */
export async function findCommunityItems(db: Db, ids: string[]): Promise<CommunityItemRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CommunityItemRow>`
    select c.id as key, c.slug, array['community', c.slug] as page, c.title, c.description as summary,
      f.key as cover_key, c.cover_alt
    from communities c join entries x on x.id = c.entry_id and x.status = 'published'
    left join content_assets f on f.path = c.cover
    where c.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Articles that were not withdrawn; everybody may read them. */
export async function findArticleItems(db: Db, ids: string[]): Promise<(ItemRow & { locale: Locale })[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ItemRow & { locale: Locale }>`
    select id as key, locale, array['article', slug] as page, jsonb_build_object(locale, title) as title,
      jsonb_build_object(locale, subtitle) as summary, null as cover_key, '{}'::jsonb as cover_alt
    from articles where id = any(${ids}::uuid[]) and withdrawn_at is null`.execute(db);
  return rows;
}
