import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type ChangedPage = { changedAt: Date };
export type ListingPage = { limit: number; offset: number };

/** When content entries were last changed, by id. */
export async function findEntryChanges(db: Db, ids: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; changedAt: Date }>`
    select id, updated_at as "changedAt" from entries where id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, changedAt }) => [id, changedAt]));
}

/** How many there are, and when the newest change was. */
export type Extent = { total: number; changedAt: Date | null };

const ARTICLES = sql.raw('articles a where a.withdrawn_at is null');

export async function getArticleExtent(db: Db): Promise<Extent> {
  const { rows } = await sql<Extent>`
    select count(*)::int as total, max(a.updated_at) as "changedAt" from ${ARTICLES}`.execute(db);
  return rows[0] ?? { total: 0, changedAt: null };
}

/** In the order they were written in, so that a part that is full stays as it is. */
export async function findArticleChanges(
  db: Db,
  { limit, offset }: ListingPage,
): Promise<(ChangedPage & { slug: string })[]> {
  const { rows } = await sql<ChangedPage & { slug: string }>`
    select a.slug, a.updated_at as "changedAt" from ${ARTICLES} order by a.id limit ${limit} offset ${offset}`.execute(
    db,
  );
  return rows;
}

/** When articles were last changed, by slug. */
export async function findUpdates(db: Db, slugs: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<ChangedPage & { slug: string }>`
    select slug, updated_at as "changedAt" from articles where slug = any(${slugs}::text[])`.execute(db);
  return new Map(rows.map(({ slug, changedAt }) => [slug, changedAt]));
}

const POSTS = sql.raw('activities a join communities c on c.id = a.community_id');

export async function getPostExtent(db: Db, communities: string[]): Promise<Extent> {
  const { rows } = await sql<Extent>`
    select count(*)::int as total, max(a.updated_at) as "changedAt" from ${POSTS}
    where a.community_id = any(${communities}::uuid[]) and a.deleted_at is null`.execute(db);
  return rows[0] ?? { total: 0, changedAt: null };
}

export async function findPostChanges(
  db: Db,
  communities: string[],
  { limit, offset }: ListingPage,
): Promise<(ChangedPage & { id: string; slug: string })[]> {
  const { rows } = await sql<ChangedPage & { id: string; slug: string }>`
    select a.id, c.slug, a.updated_at as "changedAt" from ${POSTS}
    where a.community_id = any(${communities}::uuid[]) and a.deleted_at is null
    order by a.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}
