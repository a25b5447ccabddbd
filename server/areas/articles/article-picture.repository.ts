// Raw SQL: placing pictures is a conditional update.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { isRestorable } from './article.repository.ts';

export type ArticlePicture = {
  id: string;
  key: string;
  userId: string;
  width: number;
  height: number;
  color: string;
};

export async function insertPicture(db: Db, { userId, ...picture }: ArticlePicture): Promise<void> {
  await db
    .insertInto('article_pictures')
    .values({ ...picture, user_id: userId })
    .execute();
}

export type OwnPicture = Omit<ArticlePicture, 'key' | 'userId'> & { articleId: string | null };

/** Those of the pictures that a person uploaded, by id. */
export async function findOwn(
  db: Db,
  { userId, ids }: { userId: string; ids: string[] },
): Promise<Map<string, OwnPicture>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('article_pictures')
    .select(['id', 'width', 'height', 'color', 'article_id as articleId'])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Gives an article those of the pictures that are its author's and stand nowhere else, and takes the others from it. */
export async function placePictures(
  db: Db,
  { articleId, authorId, ids }: { articleId: string; authorId: string; ids: string[] },
): Promise<void> {
  await sql`
    update article_pictures set article_id = case when id = any(${ids}::uuid[]) then ${articleId}::uuid end
    where (article_id = ${articleId} and id <> all(${ids}::uuid[]))
      or (id = any(${ids}::uuid[]) and article_id is null and user_id = ${authorId})`.execute(db);
}

/** The uploader and key of a picture, and whether everybody or only its author may read the article in which it stands. */
export async function getPicture(
  db: Db,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<
  { key: string; userId: string; isPlaced: boolean; isPublished: boolean; isRestorable: boolean } | undefined
> {
  return await db
    .selectFrom('article_pictures as p')
    .leftJoin('articles', 'articles.id', 'p.article_id')
    .select(['p.key', 'p.user_id as userId'])
    .select((eb) => [
      eb('p.article_id', 'is not', null).$castTo<boolean>().as('isPlaced'),
      eb('articles.withdrawn_at', 'is', null).$castTo<boolean>().as('isPublished'),
      sql<boolean>`coalesce(${isRestorable(viewerId)(eb)}, false)`.as('isRestorable'),
    ])
    .where('p.id', '=', id)
    .executeTakeFirst();
}

/** Whether a person has written an article. */
export async function hasArticle(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom('articles').select('id').where('author_id', '=', userId).limit(1).executeTakeFirst();
  return row !== undefined;
}
