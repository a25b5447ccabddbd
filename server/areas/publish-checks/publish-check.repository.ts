import type { Locale, LocalizedText } from '@officium/contract/common';
import type { CHECKED_KINDS } from '@officium/contract/content-checks';
import { type Expression, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';

/** A published text without its content; `digest` is a hash of the content and its language. */
export type PublishedText = {
  kind: (typeof CHECKED_KINDS)[number];
  /** Key of the lesson, microcourse, question, solution article or article. */
  key: string;
  locale: Locale;
  digest: string;
  title: LocalizedText;
  course: LocalizedText | null;
  page: Page;
  file: string | null;
};

const digestOf = (locale: Expression<string>, source: Expression<string>) => sql<string>`md5(${locale} || ${source})`;
const kind = (value: PublishedText['kind']) => sql<PublishedText['kind']>`${sql.lit(value)}`;

const lessonTexts = (db: Db) =>
  db
    .selectFrom('bodies as b')
    .innerJoin('lessons as l', (join) => join.onRef('l.key', '=', 'b.lesson_key').on('l.withdrawn_at', 'is', null))
    .innerJoin('journeys as j', (join) => join.onRef('j.key', '=', 'l.journey_key').on('j.withdrawn_at', 'is', null))
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'c.id').on('x.status', '=', 'published'))
    .select((eb) => [
      kind('course').as('kind'),
      eb.lit(1).$castTo<number>().as('nth'),
      'c.position as first',
      'j.position as second',
      'l.position as third',
      eb.cast<string>('l.key', 'text').as('key'),
      eb.ref('b.locale').$castTo<Locale>().as('locale'),
      digestOf(eb.ref('b.locale'), eb.ref('b.source')).as('digest'),
      eb.ref('l.title').$castTo<LocalizedText>().as('title'),
      eb.ref('c.title').$castTo<LocalizedText | null>().as('course'),
      sql<Page>`array['lesson', ${eb.ref('c.slug')}, ${eb.ref('j.slug')}, ${eb.ref('l.slug')}]`.as('page'),
      'b.file',
    ]);

const microcourseTexts = (db: Db) =>
  db
    .selectFrom('bodies as b')
    .innerJoin('microcourses as m', 'm.id', 'b.microcourse_id')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'm.id').on('x.status', '=', 'published'))
    .select((eb) => [
      kind('microcourse').as('kind'),
      eb.lit(2).$castTo<number>().as('nth'),
      'm.position as first',
      eb.lit(0).$castTo<number>().as('second'),
      eb.lit(0).$castTo<number>().as('third'),
      'm.id as key',
      eb.ref('b.locale').$castTo<Locale>().as('locale'),
      digestOf(eb.ref('b.locale'), eb.ref('b.source')).as('digest'),
      eb.ref('m.title').$castTo<LocalizedText>().as('title'),
      sql<LocalizedText | null>`null`.as('course'),
      sql<Page>`array['microcourse', ${eb.ref('m.slug')}]`.as('page'),
      'b.file',
    ]);

const editorialTexts = (db: Db) =>
  db
    .selectFrom('bodies as b')
    .innerJoin('editorials as m', 'm.id', 'b.editorial_id')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'm.id').on('x.status', '=', 'published'))
    .select((eb) => [
      eb.ref('m.kind').$castTo<PublishedText['kind']>().as('kind'),
      eb.lit(3).$castTo<number>().as('nth'),
      'm.position as first',
      eb.lit(0).$castTo<number>().as('second'),
      eb.lit(0).$castTo<number>().as('third'),
      'm.id as key',
      eb.ref('b.locale').$castTo<Locale>().as('locale'),
      digestOf(eb.ref('b.locale'), eb.ref('b.source')).as('digest'),
      eb.ref('m.title').$castTo<LocalizedText>().as('title'),
      sql<LocalizedText | null>`null`.as('course'),
      sql<Page>`array[${eb.ref('m.kind')}, ${eb.ref('m.slug')}]`.as('page'),
      'b.file',
    ]);

const articleTexts = (db: Db) =>
  db
    .selectFrom('articles as a')
    .where('a.withdrawn_at', 'is', null)
    .select((eb) => [
      kind('article').as('kind'),
      eb.lit(4).$castTo<number>().as('nth'),
      eb.lit(0).$castTo<number>().as('first'),
      eb.lit(0).$castTo<number>().as('second'),
      sql<number>`(-extract(epoch from ${eb.ref('a.published_date')}))::int`.as('third'),
      eb.cast<string>('a.id', 'text').as('key'),
      eb.ref('a.locale').$castTo<Locale>().as('locale'),
      digestOf(eb.ref('a.locale'), eb.ref('a.body')).as('digest'),
      sql<LocalizedText>`jsonb_build_object(${eb.ref('a.locale')}, ${eb.ref('a.title')})`.as('title'),
      sql<LocalizedText | null>`null`.as('course'),
      sql<Page>`array['article', ${eb.ref('a.slug')}]`.as('page'),
      sql<string | null>`null`.as('file'),
    ]);

const allTexts = (db: Db) =>
  lessonTexts(db).unionAll(microcourseTexts(db)).unionAll(editorialTexts(db)).unionAll(articleTexts(db));

/**
 * Returns all published texts in catalogue order, then articles, newest first. `courses`: only lessons of these; null:
 * all texts.
 */
export async function findPublishedTexts(db: Db, courses: string[] | null): Promise<PublishedText[]> {
  const texts = courses ? lessonTexts(db).where('c.id', '=', (eb) => eb.fn.any(eb.val(courses))) : allTexts(db);
  return await db
    .selectFrom(texts.as('texts'))
    .select(['kind', 'key', 'locale', 'digest', 'title', 'course', 'page', 'file'])
    .orderBy('nth')
    .orderBy('first')
    .orderBy('second')
    .orderBy('third')
    .orderBy('key')
    .orderBy('locale')
    .execute();
}

type TextKey = Pick<PublishedText, 'kind' | 'key' | 'locale'>;

/** Returns the sources of texts by digest. */
export async function findSources(db: Db, texts: readonly TextKey[]): Promise<Map<string, string>> {
  const given = sql<TextKey>`jsonb_to_recordset(${JSON.stringify(texts)}::jsonb)`;
  const wanted = db.with('wanted', (cte) =>
    cte.selectFrom(given.as<'r'>(sql`r(kind text, key text, locale text)`)).select(['r.kind', 'r.key', 'r.locale']),
  );
  const lessons = wanted
    .selectFrom('wanted as w')
    .innerJoin('bodies as b', (join) =>
      join.on('b.lesson_key', '=', (eb) => eb.cast<string>('w.key', 'uuid')).onRef('b.locale', '=', 'w.locale'),
    )
    .where('w.kind', '=', 'course')
    .select((eb) => [digestOf(eb.ref('b.locale'), eb.ref('b.source')).as('digest'), 'b.source']);
  const rows = await lessons
    .unionAll((eb) =>
      eb
        .selectFrom('wanted as w')
        .innerJoin('bodies as b', (join) =>
          join.onRef('b.microcourse_id', '=', 'w.key').onRef('b.locale', '=', 'w.locale'),
        )
        .where('w.kind', '=', 'microcourse')
        .select((eb) => [digestOf(eb.ref('b.locale'), eb.ref('b.source')).as('digest'), 'b.source']),
    )
    .unionAll((eb) =>
      eb
        .selectFrom('wanted as w')
        .innerJoin('bodies as b', (join) =>
          join.onRef('b.editorial_id', '=', 'w.key').onRef('b.locale', '=', 'w.locale'),
        )
        .where('w.kind', 'in', ['question', 'solution', 'event'])
        .select((eb) => [digestOf(eb.ref('b.locale'), eb.ref('b.source')).as('digest'), 'b.source']),
    )
    .unionAll((eb) =>
      eb
        .selectFrom('wanted as w')
        .innerJoin('articles as a', (join) => join.on('a.id', '=', (eb) => eb.cast<string>('w.key', 'uuid')))
        .where('w.kind', '=', 'article')
        .select((eb) => [digestOf(eb.ref('a.locale'), eb.ref('a.body')).as('digest'), 'a.body as source']),
    )
    .execute();
  return new Map(rows.map(({ digest, source }) => [digest, source]));
}
