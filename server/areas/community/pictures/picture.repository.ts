// Raw SQL: placing pictures is a conditional update; a picture stands in a row of one of two tables.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** The place for whose texts a picture was uploaded. */
export type PicturePlace = { communityId: string } | { lessonKey: string };

const columnsOf = (place: PicturePlace) =>
  'communityId' in place
    ? { community_id: place.communityId, lesson_key: null }
    : { community_id: null, lesson_key: place.lessonKey };

export type NewPicture = {
  id: string;
  key: string;
  place: PicturePlace;
  userId: string;
  width: number;
  height: number;
};

export async function insertPicture(db: Db, { id, key, place, userId, width, height }: NewPicture): Promise<void> {
  await db
    .insertInto('post_pictures')
    .values({ id, key, ...columnsOf(place), user_id: userId, width, height })
    .execute();
}

/** The condition that a picture was uploaded for the place. */
const isFor = (place: PicturePlace) =>
  'communityId' in place
    ? sql<boolean>`community_id = ${place.communityId}`
    : sql<boolean>`lesson_key = ${place.lessonKey}`;

/** The sizes of those of the pictures that were uploaded for the place, by id. */
export async function findSizes(
  db: Db,
  place: PicturePlace,
  ids: string[],
): Promise<Map<string, { width: number; height: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('post_pictures')
    .select(['id', 'width', 'height'])
    .where(isFor(place))
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, width, height }) => [id, { width, height }]));
}

/** A text of a place and the pictures of its author in it. */
export type PlacedPictures = { objectId: string; authorId: string; place: PicturePlace; ids: string[] };

/** Gives a text those of the pictures that are its author's and stand nowhere else, and takes the others from it. */
export async function placePictures(db: Db, { objectId, authorId, place, ids }: PlacedPictures): Promise<void> {
  await sql`
    update post_pictures set object_id = case when id = any(${ids}::uuid[]) then ${objectId}::uuid end
    where (object_id = ${objectId} and id <> all(${ids}::uuid[]))
      or (id = any(${ids}::uuid[]) and object_id is null and user_id = ${authorId} and ${isFor(place)})`.execute(db);
}

/** Its place is the community with `slug` or a lesson. */
export type PictureRow = {
  key: string;
  userId: string;
  slug: string | null;
  lessonKey: string | null;
  isPlaced: boolean;
  isInReply: boolean;
};

/** A picture that stands in an existing post or reply, or in none yet. */
export async function getPicture(db: Db, id: string): Promise<PictureRow | undefined> {
  const { rows } = await sql<PictureRow>`
    select p.key, p.user_id as "userId", c.slug, p.lesson_key as "lessonKey", p.object_id is not null as "isPlaced",
      exists (select from reactions r where r.id = p.object_id) as "isInReply"
    from post_pictures p left join communities c on c.id = p.community_id
    where p.id = ${id} and (
      p.object_id is null
      or exists (select from activities a where a.id = p.object_id and a.deleted_at is null)
      or exists (
        select from reactions r join activities a on a.id = r.activity_id
        where r.id = p.object_id and r.deleted_at is null and a.deleted_at is null))`.execute(db);
  return rows[0];
}
