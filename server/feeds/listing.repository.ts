import type { Db } from '#server/db/client.ts';

export type ChangedPage = { changedAt: Date };
export type ListingPage = { limit: number; offset: number };

/** When content entries last changed, by id. */
export async function findEntryChanges(db: Db, ids: string[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'updated_at as changedAt'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  return new Map(rows.map(({ id, changedAt }) => [id, changedAt]));
}

/** The number of rows and the time of the latest change. */
export type Extent = { total: number; changedAt: Date | null };

const articles = (db: Db) => db.selectFrom('articles as a').where('a.withdrawn_at', 'is', null);

export async function getArticleExtent(db: Db): Promise<Extent> {
  return await articles(db)
    .select((eb) => [eb.fn.countAll<number>().as('total'), eb.fn.max('a.updated_at').as('changedAt')])
    .executeTakeFirstOrThrow();
}

/** In order of creation, so that a full part of the sitemap stays the same. */
export async function findArticleChanges(
  db: Db,
  { limit, offset }: ListingPage,
): Promise<(ChangedPage & { slug: string })[]> {
  return await articles(db)
    .select(['a.slug', 'a.updated_at as changedAt'])
    .orderBy('a.id')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** When articles last changed, by slug. */
export async function findUpdates(db: Db, slugs: string[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('articles')
    .select(['slug', 'updated_at as changedAt'])
    .where('slug', '=', (eb) => eb.fn.any(eb.val(slugs)))
    .execute();
  return new Map(rows.map(({ slug, changedAt }) => [slug, changedAt]));
}

const posts = (db: Db, communities: string[]) =>
  db
    .selectFrom('activities as a')
    .innerJoin('communities as c', 'c.id', 'a.community_id')
    .where('a.community_id', '=', (eb) => eb.fn.any(eb.val(communities)))
    .where('a.deleted_at', 'is', null);

export async function getPostExtent(db: Db, communities: string[]): Promise<Extent> {
  return await posts(db, communities)
    .select((eb) => [eb.fn.countAll<number>().as('total'), eb.fn.max('a.updated_at').as('changedAt')])
    .executeTakeFirstOrThrow();
}

export async function findPostChanges(
  db: Db,
  communities: string[],
  { limit, offset }: ListingPage,
): Promise<(ChangedPage & { id: string; slug: string })[]> {
  return await posts(db, communities)
    .select(['a.id', 'c.slug', 'a.updated_at as changedAt'])
    .orderBy('a.id')
    .limit(limit)
    .offset(offset)
    .execute();
}
