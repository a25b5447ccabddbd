// Raw SQL: `content_at` is a function of the database, joined to a list of paths.
import type { EditorialKind } from '@officium/contract/editorials';
import type { Locale, LocalizedText } from '@officium/contract/common';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import type { DB, Editorials } from '#server/db/schema.ts';
import { anyOfUnseen } from './any-of.sql.ts';
import { assetKeysOf } from './asset-keys.sql.ts';
import { scopeOrPrivate } from './scope.sql.ts';

export type EditorialFactsRow = {
  id: string;
  kind: EditorialKind;
  slug: string;
  title: LocalizedText;
  summary: LocalizedText;
  human_translation: boolean;
  cover_key: string | null;
  cover_alt: LocalizedText;
  /** Languages of its text, or of its title when it has no text. */
  locales: Locale[];
  can_view: Scope;
  can_join: Scope;
  is_granted: boolean;
};

export type EditorialAsk = {
  userId: string;
  kind?: EditorialKind | undefined;
  named?: { by: 'slug' | 'id'; values: string[] } | undefined;
  /** Only those that link to this course or one of its lessons. */
  courseId?: string | undefined;
};

/** Published editorials with what a viewer holds of them, in the order of the catalogue. */
export async function findEditorialFacts(db: Db, ask: EditorialAsk): Promise<EditorialFactsRow[]> {
  const { userId, kind, named, courseId } = ask;
  let facts = db
    .selectFrom('editorials as e')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'e.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'e.id')
    .leftJoin('content_assets as f', 'f.path', 'e.cover')
    .select((eb) => [
      'e.id',
      'e.kind',
      'e.slug',
      'e.title',
      'e.summary',
      'e.human_translation',
      'f.key as cover_key',
      'e.cover_alt',
      scopeOrPrivate(eb.ref('p.can_view')).as('can_view'),
      scopeOrPrivate(eb.ref('p.can_join')).as('can_join'),
      localesOf(eb).as('locales'),
      sql<boolean>`is_granted(${userId}, ${eb.ref('e.id')})`.as('is_granted'),
    ]);
  if (kind !== undefined) facts = facts.where('e.kind', '=', kind);
  if (named !== undefined) facts = facts.where(`e.${named.by}`, '=', anyOfUnseen(named.values, 'text'));
  if (courseId !== undefined) facts = facts.where((eb) => leadsTo(eb, courseId));
  return await facts
    .orderBy('e.position')
    .orderBy('e.slug')
    .$narrowType<{ kind: EditorialKind; title: LocalizedText; summary: LocalizedText; cover_alt: LocalizedText }>()
    .execute();
}

/** Languages of the text of an editorial, or of its title when it has no text. */
function localesOf(eb: ExpressionBuilder<DB & { e: Editorials }, 'e'>) {
  const written = eb
    .selectFrom('bodies as b')
    .select(({ ref }) => sql`jsonb_agg(${ref('b.locale')} order by ${ref('b.locale')})`.as('locales'))
    .whereRef('b.editorial_id', '=', 'e.id');
  const named = sql`(select jsonb_agg(l order by l) from jsonb_object_keys(${eb.ref('e.title')}) l)`;
  return sql<Locale[]>`coalesce(${written}, ${named}, '[]')`;
}

/** Whether an editorial links to the course or one of its lessons. */
function leadsTo(eb: ExpressionBuilder<DB & { e: Editorials }, 'e'>, courseId: string) {
  const lessons = eb
    .selectFrom('journeys as j')
    .innerJoin('lessons as l', 'l.journey_key', 'j.key')
    .select((lesson) => lesson.cast<string>('l.key', 'text').as('key'))
    .where('j.course_id', '=', courseId)
    .where('j.withdrawn_at', 'is', null)
    .where('l.withdrawn_at', 'is', null);
  return eb.exists(
    eb
      .selectFrom('editorial_items as i')
      .select('i.key')
      .whereRef('i.editorial_id', '=', 'e.id')
      .where((item) =>
        item.or([
          item.and([item('i.kind', '=', 'course'), item('i.key', '=', courseId)]),
          item.and([item('i.kind', '=', 'lesson'), item('i.key', 'in', lessons)]),
        ]),
      ),
  );
}

export type EditorialBodyRow = {
  editorial_id: string;
  locale: Locale;
  html: string;
  headings: { level: number; id: string; text: string }[];
  /** Keys of the editorial's own pictures and media. */
  asset_keys: string[];
};

/** The text of each in the first language of `chain` that has one, else in any language. */
export async function findEditorialBodies(
  db: Db,
  { ids, chain }: { ids: string[]; chain: Locale[] },
): Promise<Map<string, EditorialBodyRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('bodies')
    .distinctOn('editorial_id')
    .select(['editorial_id', 'locale', 'html', 'headings'])
    .select((eb) => assetKeysOf(eb, 'bodies.editorial_id').as('asset_keys'))
    .where('editorial_id', '=', anyOfUnseen(ids, 'text'))
    .orderBy('editorial_id')
    .orderBy(
      ({ ref }) => sql`array_position(${chain}::text[], ${ref('locale')})`,
      (order) => order.asc().nullsLast(),
    )
    .orderBy('locale')
    .$narrowType<EditorialBodyRow>()
    .execute();
  return new Map(rows.map((row) => [row.editorial_id, row]));
}

export type EditorialItemRow = { editorial_id: string; kind: string; key: string };

/** The links of these editorials, in order. */
export async function findEditorialItems(db: Db, ids: string[]): Promise<EditorialItemRow[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('editorial_items')
    .select(['editorial_id', 'kind', 'key'])
    .where('editorial_id', '=', ({ fn, val }) => fn.any(val(ids)))
    .orderBy('editorial_id')
    .orderBy('position')
    .execute();
}

/** The rows at these paths, published or not; paths that lead nowhere are absent. */
export async function findContentAt(db: Db, paths: string[]): Promise<Map<string, { kind: string; key: string }>> {
  if (paths.length === 0) return new Map();
  const { rows } = await sql<{ path: string; kind: string; key: string }>`
    select p.path, c.kind, c.key from unnest(${paths}::text[]) as p(path)
    cross join lateral content_at(p.path) c`.execute(db);
  return new Map(rows.map(({ path, kind, key }) => [path, { kind, key }]));
}
