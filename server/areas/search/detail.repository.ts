import type { LocalizedText } from '@officium/contract/common';
import { type Expression, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';
import type { DocumentKind } from './document.rows.ts';

/** The page, place and author of a search result. */
export type DetailRow = {
  id: string;
  page: Page;
  /** The id of the element on the page. */
  anchor?: string;
  placeTitle?: LocalizedText;
  placePage?: Page;
  authorId?: string | null;
  authorName?: string | null;
  /** The title of the post, for a reply. */
  parentTitle?: string | null;
  /** The title of the lesson, for a lesson discussion. */
  lessonTitle?: LocalizedText;
};

const pageOf = (kind: Page[0], ...slugs: Expression<unknown>[]) =>
  sql<Page>`array[${sql.lit(kind)}, ${sql.join(slugs)}]`;

async function findEditorials(db: Db, ids: string[]): Promise<DetailRow[]> {
  return await db
    .selectFrom('editorials')
    .select(({ ref }) => ['id', sql<Page>`array[${ref('kind')}, ${ref('slug')}]`.as('page')])
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .execute();
}

/** Lesson discussions and replies to them, by their ids. */
async function findDiscussions(db: Db, ids: string[]): Promise<DetailRow[]> {
  const texts = db
    .selectFrom('activities as a')
    .select(['a.id', 'a.lesson_key', 'a.author_id'])
    .where('a.id', '=', ({ fn, val }) => fn.any(val(ids)))
    .where('a.deleted_at', 'is', null)
    .unionAll(
      db
        .selectFrom('reactions as r')
        .innerJoin('activities as a', 'a.id', 'r.activity_id')
        .select(['r.id', 'a.lesson_key', 'r.user_id as author_id'])
        .where('r.id', '=', ({ fn, val }) => fn.any(val(ids)))
        .where('r.deleted_at', 'is', null)
        .where('a.deleted_at', 'is', null),
    );
  return await db
    .selectFrom(texts.as('t'))
    .innerJoin('lessons as l', (join) => join.onRef('l.key', '=', 't.lesson_key').on('l.withdrawn_at', 'is', null))
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('courses as k', 'k.id', 'j.course_id')
    .leftJoin('users as u', (join) => join.onRef('u.id', '=', 't.author_id').on('u.erased_at', 'is', null))
    .select(({ ref }) => [
      't.id',
      pageOf('lesson', ref('k.slug'), ref('j.slug'), ref('l.slug')).as('page'),
      sql<string>`'post-' || ${ref('t.id')}`.as('anchor'),
      'l.title as lessonTitle',
      'k.title as placeTitle',
      pageOf('course', ref('k.slug')).as('placePage'),
      'u.id as authorId',
      'u.name as authorName',
    ])
    .$narrowType<{ lessonTitle: LocalizedText; placeTitle: LocalizedText }>()
    .execute();
}

const FIND: Record<DocumentKind, (db: Db, ids: string[]) => Promise<DetailRow[]>> = {
  academy: async (db, ids) =>
    await db
      .selectFrom('academies')
      .select(({ ref }) => ['id', pageOf('academy', ref('slug')).as('page')])
      .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  course: async (db, ids) =>
    await db
      .selectFrom('courses')
      .select(({ ref }) => ['id', pageOf('course', ref('slug')).as('page')])
      .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  microcourse: async (db, ids) =>
    await db
      .selectFrom('microcourses')
      .select(({ ref }) => ['id', pageOf('microcourse', ref('slug')).as('page')])
      .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  question: findEditorials,
  solution: findEditorials,
  hub: findEditorials,
  event: findEditorials,
  community: async (db, ids) =>
    await db
      .selectFrom('communities')
      .select(({ ref }) => ['id', pageOf('community', ref('slug')).as('page')])
      .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  lesson: async (db, ids) =>
    await db
      .selectFrom('lessons as l')
      .innerJoin('journeys as j', 'j.key', 'l.journey_key')
      .innerJoin('courses as c', 'c.id', 'j.course_id')
      .select(({ ref }) => [
        'l.key as id',
        pageOf('lesson', ref('c.slug'), ref('j.slug'), ref('l.slug')).as('page'),
        ref('c.title').$castTo<LocalizedText>().as('placeTitle'),
        pageOf('course', ref('c.slug')).as('placePage'),
      ])
      .where('l.key', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  post: async (db, ids) =>
    await db
      .selectFrom('activities as a')
      .innerJoin('communities as c', 'c.id', 'a.community_id')
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'a.author_id').on('u.erased_at', 'is', null))
      .select(({ cast, ref }) => [
        'a.id',
        pageOf('post', ref('c.slug'), cast('a.id', 'text')).as('page'),
        ref('c.title').$castTo<LocalizedText>().as('placeTitle'),
        pageOf('community', ref('c.slug')).as('placePage'),
        'u.id as authorId',
        'u.name as authorName',
      ])
      .where('a.id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  reply: async (db, ids) =>
    await db
      .selectFrom('reactions as r')
      .innerJoin('activities as a', 'a.id', 'r.activity_id')
      .innerJoin('communities as c', 'c.id', 'a.community_id')
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'r.user_id').on('u.erased_at', 'is', null))
      .select(({ cast, ref }) => [
        'r.id',
        pageOf('post', ref('c.slug'), cast('a.id', 'text')).as('page'),
        'r.id as anchor',
        ref('c.title').$castTo<LocalizedText>().as('placeTitle'),
        pageOf('community', ref('c.slug')).as('placePage'),
        'u.id as authorId',
        'u.name as authorName',
        'a.title as parentTitle',
      ])
      .where('r.id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
  discussion: findDiscussions,
  article: async (db, ids) =>
    await db
      .selectFrom('articles as r')
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'r.author_id').on('u.erased_at', 'is', null))
      .select(({ ref }) => [
        'r.id',
        pageOf('article', ref('r.slug')).as('page'),
        'u.id as authorId',
        'u.name as authorName',
      ])
      .where('r.id', '=', ({ fn, val }) => fn.any(val(ids)))
      .execute(),
};

/** Details by id. Objects deleted since the search are missing. */
export async function findDetails(db: Db, kind: DocumentKind, ids: string[]): Promise<Map<string, DetailRow>> {
  return new Map((await FIND[kind](db, ids)).map((row) => [row.id, row]));
}
