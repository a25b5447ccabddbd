import type { Locale } from '@officium/contract/common';
import { type ArticleTag, RESTORE_DAYS } from '@officium/contract/content';
import { type ExpressionBuilder, type InferResult, sql } from 'kysely';
import { type Db, newId, NOW } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';

export type CoverImage = {
  url: string;
  height: number;
  width: number;
  authorName: string;
  authorLink: string;
  title: string | null;
  description: string | null;
  color: string | null;
};
type Heading = { level: number; id: string; text: string };

/** The prepared content of an article. */
export type ArticleText = {
  title: string;
  subtitle: string;
  body: string;
  bodyHtml: string;
  headings: Heading[];
  humanTranslation: boolean;
  tags: ArticleTag[];
  coverImage: CoverImage | null;
  tldr: string | null;
  locale: Locale;
  minutes: number;
};

/** The columns that creating and editing an article write. */
const columnsOf = (article: ArticleText) => ({
  title: article.title,
  subtitle: article.subtitle,
  body: article.body,
  body_html: article.bodyHtml,
  headings: JSON.stringify(article.headings),
  human_translation: article.humanTranslation,
  tags: article.tags,
  cover_image: article.coverImage && JSON.stringify(article.coverImage),
  tldr: article.tldr,
  locale: article.locale,
  minutes: article.minutes,
  seo_title: article.title,
  seo_description: article.subtitle,
});

/** Inserts an article and returns its id; undefined when the slug is taken. */
export async function insertArticle(
  db: Db,
  article: ArticleText & { slug: string; authorId: string; publishedDate?: Date | undefined },
): Promise<string | undefined> {
  const { slug, authorId, publishedDate } = article;
  const date = publishedDate ?? sql<Date>`now()`;
  const row = await db
    .insertInto('articles')
    .values({
      ...columnsOf(article),
      id: newId(publishedDate),
      slug,
      author_id: authorId,
      published_date: date,
      updated_at: date,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function updateArticle(db: Db, id: string, article: ArticleText): Promise<void> {
  await db
    .updateTable('articles')
    .set({ ...columnsOf(article), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** Locks an article for an update. */
export async function lockArticle(
  db: Db,
  slug: string,
): Promise<{ id: string; authorId: string; locale: Locale; updatedAt: Date } | undefined> {
  return await db
    .selectFrom('articles')
    .select(['id', 'author_id as authorId', 'locale', 'updated_at as updatedAt'])
    .where('slug', '=', slug)
    .where('withdrawn_at', 'is', null)
    .forUpdate()
    .$narrowType<{ locale: Locale }>()
    .executeTakeFirst();
}

/** Deletes an article, so that its author can restore it. */
export async function withdrawArticle(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  await db.updateTable('articles').set({ withdrawn_at: NOW, withdrawn_by: userId }).where('id', '=', id).execute();
}

/** Locks a published article by its id. */
export async function lockPublished(
  db: Db,
  id: string,
): Promise<{ id: string; slug: string; authorId: string } | undefined> {
  return await db
    .selectFrom('articles')
    .select(['id', 'slug', 'author_id as authorId'])
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks a published article against changes until the end of the transaction; false when there is none. */
export async function holdPublished(db: Db, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('articles')
    .select('id')
    .where('slug', '=', slug)
    .where('withdrawn_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Publishes an article that a moderator removed; undefined when there is none. */
export async function publishRemoved(db: Db, id: string): Promise<{ slug: string } | undefined> {
  return await db
    .updateTable('articles')
    .set({ withdrawn_at: null, withdrawn_by: null })
    .where('id', '=', id)
    .where('withdrawn_at', 'is not', null)
    .whereRef('withdrawn_by', '<>', 'author_id')
    .returning('slug')
    .executeTakeFirst();
}

/** The end of the time in which the author of a deleted article can restore it. */
const RESTORABLE_UNTIL = sql<Date>`articles.withdrawn_at + make_interval(days => ${sql.lit(RESTORE_DAYS)})`;

/** The author's deleted article, while it can be restored. */
export const isRestorable = (authorId: string) => (eb: ExpressionBuilder<DB, 'articles'>) =>
  eb.and([
    eb('articles.author_id', '=', authorId),
    eb('articles.withdrawn_by', '=', authorId),
    eb(RESTORABLE_UNTIL, '>', NOW),
  ]);

/** Restores a deleted article of the author. Returns false when there is none, or its time is over. */
export async function restoreArticle(db: Db, { slug, authorId }: { slug: string; authorId: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('articles')
    .set({ withdrawn_at: null, withdrawn_by: null })
    .where('slug', '=', slug)
    .where(isRestorable(authorId))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const withAuthors = (db: Db) => db.selectFrom('articles as a').innerJoin('users as u', 'u.id', 'a.author_id');

/** Published articles with their authors. */
const published = (db: Db) => withAuthors(db).where('a.withdrawn_at', 'is', null);

const selectCards = (query: ReturnType<typeof published>) =>
  query
    .select((eb) => [
      'a.id',
      'a.slug',
      'a.title',
      'a.subtitle',
      'a.tldr',
      'a.tags',
      'a.cover_image',
      'a.author_tag',
      'a.type',
      'a.locale',
      'a.human_translation',
      'a.minutes',
      'a.published_date',
      'a.author_id',
      eb('u.erased_at', 'is not', null).$castTo<boolean>().as('author_erased'),
      'u.name as author_name',
      'u.image_thumbnail',
      'u.job_title',
      'u.organization',
      'u.visibility',
    ])
    .$narrowType<{ tags: ArticleTag[]; cover_image: CoverImage | null; locale: Locale }>();

const selectWhole = (query: ReturnType<typeof published>) =>
  selectCards(query)
    .select(['a.body', 'a.body_html', 'a.headings', 'a.seo_title', 'a.seo_description', 'a.updated_at'])
    .$narrowType<{ headings: Heading[] }>();

export type ArticleRow = InferResult<ReturnType<typeof selectCards>>[number];
export type FullArticleRow = InferResult<ReturnType<typeof selectWhole>>[number];

export type ArticleFilter = {
  tag?: ArticleTag | undefined;
  authorId?: string | undefined;
  language?: Locale | undefined;
};

/** Returns a page of articles, newest first, and the total count. */
export async function findArticles(
  db: Db,
  { tag, authorId, language, limit, offset }: ArticleFilter & { limit: number; offset: number },
): Promise<{ rows: ArticleRow[]; total: number }> {
  let found = published(db);
  if (tag !== undefined) found = found.where('a.tags', '@>', sql<string[]>`${[tag]}::text[]`);
  if (authorId !== undefined) found = found.where('a.author_id', '=', authorId).where('u.erased_at', 'is', null);
  if (language !== undefined) found = found.where('a.locale', '=', language);
  const rows = await selectCards(found)
    .orderBy('a.published_date', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

export async function getArticle(db: Db, slug: string): Promise<FullArticleRow | undefined> {
  return await selectWhole(published(db)).where('a.slug', '=', slug).executeTakeFirst();
}

/** The author's deleted article with the end of the time to restore it; undefined when that is over. */
export async function getDeletedArticle(
  db: Db,
  { slug, authorId }: { slug: string; authorId: string },
): Promise<(FullArticleRow & { restorableUntil: Date }) | undefined> {
  const deleted = await db
    .selectFrom('articles')
    .select(['id', RESTORABLE_UNTIL.as('restorableUntil')])
    .where('slug', '=', slug)
    .where(isRestorable(authorId))
    .executeTakeFirst();
  if (!deleted) return undefined;
  const row = await selectWhole(withAuthors(db)).where('a.id', '=', deleted.id).executeTakeFirst();
  return row && { ...row, restorableUntil: deleted.restorableUntil };
}

/** Locks an article until the end of the transaction; false when it has changed since `asOf`. */
export async function holdArticle(db: Db, id: string, asOf: Date): Promise<boolean> {
  const row = await db
    .selectFrom('articles')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb(eb.fn<Date>('date_trunc', [sql.lit('milliseconds'), 'updated_at']), '=', asOf))
    .where('withdrawn_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
