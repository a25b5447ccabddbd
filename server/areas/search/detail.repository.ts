import type { LocalizedText } from '@officium/contract/common';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';
import type { DocumentKind } from './document.rows.ts';

/** What is shown beside a text that was found: where it is, what it belongs to, who wrote it. */
export type DetailRow = {
  id: string;
  page: Page;
  /** The element of the page to go to. */
  anchor?: string;
  placeTitle: LocalizedText | null;
  placePage: Page | null;
  authorId: string | null;
  authorName: string | null;
  /** Of the post that a reply belongs to. */
  parentTitle?: string | null;
};

const NONE = sql`null::jsonb as "placeTitle", null as "placePage"`;
const NOBODY = sql`null::uuid as "authorId", null as "authorName"`;
const AUTHOR = sql`u.id as "authorId", u.name as "authorName"`;
const COMMUNITY = sql`c.title as "placeTitle", array['community', c.slug] as "placePage"`;

const QUERIES: Record<DocumentKind, (ids: string[]) => RawBuilder<DetailRow>> = {
  academy: (ids) => sql`
    select id, array['academy', slug] as page, ${NONE}, ${NOBODY} from academies where id = any(${ids})`,
  course: (ids) => sql`
    select id, array['course', slug] as page, ${NONE}, ${NOBODY} from courses where id = any(${ids})`,
  microcourse: (ids) => sql`
    select id, array['microcourse', slug] as page, ${NONE}, ${NOBODY} from microcourses where id = any(${ids})`,
  community: (ids) => sql`
    select id, array['community', slug] as page, ${NONE}, ${NOBODY} from communities where id = any(${ids}::uuid[])`,
  lesson: (ids) => sql`
    select l.key as id, array['lesson', c.slug, j.slug, l.slug] as page,
      c.title as "placeTitle", array['course', c.slug] as "placePage", ${NOBODY}
    from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
    where l.key = any(${ids}::uuid[])`,
  post: (ids) => sql`
    select a.id, array['post', c.slug, a.id::text] as page, ${COMMUNITY}, ${AUTHOR}
    from activities a join communities c on c.id = a.community_id
    left join users u on u.id = a.author_id and u.erased_at is null
    where a.id = any(${ids}::uuid[])`,
  reply: (ids) => sql`
    select r.id, array['post', c.slug, a.id::text] as page, r.id as anchor, ${COMMUNITY}, ${AUTHOR},
      a.title as "parentTitle"
    from reactions r join activities a on a.id = r.activity_id join communities c on c.id = a.community_id
    left join users u on u.id = r.user_id and u.erased_at is null
    where r.id = any(${ids}::uuid[])`,
  article: (ids) => sql`
    select r.id, array['article', r.slug] as page, ${NONE}, ${AUTHOR}
    from articles r left join users u on u.id = r.author_id and u.erased_at is null
    where r.id = any(${ids}::uuid[])`,
};

/** By id; what is gone meanwhile is not there. */
export async function findDetails(db: Db, kind: DocumentKind, ids: string[]): Promise<Map<string, DetailRow>> {
  const { rows } = await QUERIES[kind](ids).execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
