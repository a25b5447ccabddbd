import type { Locale } from '@officium/contract/common';
import type { ArticleTag } from '@officium/contract/content';
import { type RawBuilder, sql } from 'kysely';
import { type Db, newId } from '#server/db/client.ts';

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

/** What writing an article stores, made ready. */
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

/** Answers the id, or undefined when the slug is taken. */
export async function insertArticle(
  db: Db,
  article: ArticleText & { slug: string; authorId: string; publishedDate?: Date | undefined },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into articles (id, slug, author_id, title, subtitle, body, body_html, headings, human_translation, tags, cover_image,
      tldr, locale, minutes, seo_title, seo_description, published_date, updated_at)
    values (${newId(article.publishedDate)}, ${article.slug}, ${article.authorId}, ${article.title}, ${article.subtitle}, ${article.body},
      ${article.bodyHtml}, ${JSON.stringify(article.headings)}, ${article.humanTranslation}, ${article.tags}::text[],
      ${article.coverImage && JSON.stringify(article.coverImage)}, ${article.tldr}, ${article.locale}, ${article.minutes},
      ${article.title}, ${article.subtitle}, coalesce(${article.publishedDate ?? null}::timestamptz, now()),
      coalesce(${article.publishedDate ?? null}::timestamptz, now()))
    on conflict (slug) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export async function updateArticle(db: Db, id: string, article: ArticleText): Promise<void> {
  await sql`
    update articles set title = ${article.title}, subtitle = ${article.subtitle}, body = ${article.body},
      body_html = ${article.bodyHtml}, headings = ${JSON.stringify(article.headings)},
      human_translation = ${article.humanTranslation}, tags = ${article.tags}::text[],
      cover_image = ${article.coverImage && JSON.stringify(article.coverImage)}, tldr = ${article.tldr},
      locale = ${article.locale}, minutes = ${article.minutes}, seo_title = ${article.title},
      seo_description = ${article.subtitle}, updated_at = now()
    where id = ${id}`.execute(db);
}

/** The article that is about to be changed. */
export async function lockArticle(
  db: Db,
  slug: string,
): Promise<{ id: string; authorId: string; locale: Locale } | undefined> {
  const { rows } = await sql<{ id: string; authorId: string; locale: Locale }>`
    select id, author_id as "authorId", locale from articles where slug = ${slug} and withdrawn_at is null for update`.execute(
    db,
  );
  return rows[0];
}

export type ArticleRow = {
  id: string;
  slug: string;
  title: string;
  subtitle: string;
  tldr: string | null;
  tags: ArticleTag[];
  cover_image: CoverImage | null;
  author_tag: string;
  type: string;
  locale: Locale;
  human_translation: boolean;
  minutes: number;
  published_date: Date;
  author_id: string;
  author_erased: boolean;
  author_name: string;
  image_thumbnail: string | null;
  job_title: string | null;
  organization: string | null;
  visibility: string;
};
export type FullArticleRow = ArticleRow & {
  body: string;
  body_html: string;
  headings: Heading[];
  seo_title: string;
  seo_description: string;
  updated_at: Date;
};

const CARD = sql.raw(`a.id, a.slug, a.title, a.subtitle, a.tldr, a.tags, a.cover_image, a.author_tag, a.type, a.locale,
  a.human_translation, a.minutes, a.published_date, a.author_id, u.erased_at is not null as author_erased,
  u.name as author_name, u.image_thumbnail, u.job_title, u.organization, u.visibility`);

export type ArticleFilter = {
  tag?: ArticleTag | undefined;
  authorId?: string | undefined;
  language?: Locale | undefined;
};

/** A page of articles, newest first, and how many there are. */
export async function findArticles(
  db: Db,
  { limit, offset, ...filter }: ArticleFilter & { limit: number; offset: number },
): Promise<{ rows: ArticleRow[]; total: number }> {
  const conditions: RawBuilder<unknown>[] = [sql`a.withdrawn_at is null`];
  if (filter.tag !== undefined) conditions.push(sql`a.tags @> ${[filter.tag]}::text[]`);
  if (filter.authorId !== undefined) conditions.push(sql`a.author_id = ${filter.authorId} and u.erased_at is null`);
  if (filter.language !== undefined) conditions.push(sql`a.locale = ${filter.language}`);
  const from = sql`from articles a join users u on u.id = a.author_id where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<ArticleRow>`
    select ${CARD} ${from} order by a.published_date desc, a.id desc limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function getArticle(db: Db, slug: string): Promise<FullArticleRow | undefined> {
  const { rows } = await sql<FullArticleRow>`
    select ${CARD}, a.body, a.body_html, a.headings, a.seo_title, a.seo_description, a.updated_at
    from articles a join users u on u.id = a.author_id where a.slug = ${slug} and a.withdrawn_at is null`.execute(db);
  return rows[0];
}

/** Locks an article until the end of the transaction; false when it is not as it was at that moment any more. */
export async function holdArticle(db: Db, id: string, asOf: Date): Promise<boolean> {
  const { rows } = await sql`
    select from articles where id = ${id} and date_trunc('milliseconds', updated_at) = ${asOf} and withdrawn_at is null
    for share`.execute(db);
  return rows.length > 0;
}
