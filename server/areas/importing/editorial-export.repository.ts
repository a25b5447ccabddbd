import { EDITORIAL_KINDS, type EditorialKind } from '@officium/contract/editorials';
import type { LocalizedText } from '@officium/contract/common';
import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { scopeOrPrivate } from '#server/areas/catalogue/scope.sql.ts';
import type { Schedule } from './event-schedule.policy.ts';
import type { Db } from '#server/db/client.ts';
import type { DB, Editorials } from '#server/db/schema.ts';

export type EditorialOut = {
  id: string;
  kind: EditorialKind;
  slug: string;
  title: LocalizedText;
  summary: LocalizedText;
  parts: Partial<Record<string, LocalizedText>>;
  cover: string | null;
  cover_alt: LocalizedText;
  human_translation: boolean;
  can_view: string;
  can_join: string;
  items: string[];
  schedule: Schedule | null;
};

/** The names of what an editorial holds in its columns of JSON and checked text. */
type Kept = Pick<EditorialOut, 'kind' | 'title' | 'summary' | 'parts' | 'cover_alt'>;
type OfEditorial = ExpressionBuilder<DB & { e: Editorials }, 'e'>;

const slugIfPublished = (kind: string, id: Expression<unknown>, slug: Expression<string | null>) =>
  sql<string | null>`case when is_content_published(${sql.lit(kind)}, ${id}) then ${slug} end`;

const scheduleOf = (eb: OfEditorial) =>
  jsonObjectFrom(
    eb
      .selectFrom('events as v')
      .leftJoin('communities as y', 'y.id', 'v.community_id')
      .leftJoin('courses as c', 'c.id', 'v.course_id')
      .select((event) => [
        'v.starts',
        'v.ends',
        'v.time_zone as timeZone',
        'v.recurrence',
        'v.place',
        'v.link',
        'v.capacity',
        'v.recording',
        slugIfPublished('community', event.cast('v.community_id', 'text'), event.ref('y.slug')).as('community'),
        slugIfPublished('course', event.ref('v.course_id'), event.ref('c.slug')).as('course'),
      ])
      .whereRef('v.id', '=', 'e.id'),
  );

const itemsOf = (eb: OfEditorial) =>
  eb
    .selectFrom('editorial_items as i')
    .select(({ ref }) => {
      const path = sql`content_path(${ref('i.kind')}, ${ref('i.key')})`;
      return sql<string[]>`coalesce(jsonb_agg(${path} order by ${ref('i.position')}), '[]')`.as('paths');
    })
    .whereRef('i.editorial_id', '=', 'e.id')
    .where(({ ref }) => sql<boolean>`is_content_published(${ref('i.kind')}, ${ref('i.key')})`)
    .$asScalar()
    .$notNull();

/** Everything published, by kind and in the order of the catalogue, without links to what is not. */
export async function findEditorialsOut(db: Db): Promise<EditorialOut[]> {
  return await db
    .selectFrom('editorials as e')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'e.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'e.id')
    .select((eb) => [
      'e.id',
      'e.kind',
      'e.slug',
      'e.title',
      'e.summary',
      'e.parts',
      'e.cover',
      'e.cover_alt',
      'e.human_translation',
      scopeOrPrivate(eb.ref('p.can_view')).as('can_view'),
      scopeOrPrivate(eb.ref('p.can_join')).as('can_join'),
      itemsOf(eb).as('items'),
      scheduleOf(eb).as('schedule'),
    ])
    .orderBy(({ ref }) => sql`array_position(${[...EDITORIAL_KINDS]}::text[], ${ref('e.kind')})`)
    .orderBy('e.position')
    .orderBy('e.slug')
    .$narrowType<Kept>()
    .execute();
}
