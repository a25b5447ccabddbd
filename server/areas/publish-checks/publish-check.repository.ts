import type { Locale, LocalizedText } from '@officium/contract/common';
import type { CHECKED_KINDS } from '@officium/contract/content-checks';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';

/** A published text, without itself: `digest` is made of it and its language. */
export type PublishedText = {
  kind: (typeof CHECKED_KINDS)[number];
  /** Of the lesson, microcourse or article. */
  key: string;
  locale: Locale;
  digest: string;
  title: LocalizedText;
  course: LocalizedText | null;
  page: Page;
  file: string | null;
};

/** Every text that is published, in the order of the catalogue, articles last and newest first. */
export async function findPublishedTexts(db: Db): Promise<PublishedText[]> {
  const { rows } = await sql<PublishedText>`
    select kind, key, locale, digest, title, course, page, file from (
      select 'course' as kind, 1 as nth, c.position as first, j.position as second, l.position as third, l.key::text as key,
        b.locale, md5(b.locale || b.source) as digest, l.title, c.title as course,
        array['lesson', c.slug, j.slug, l.slug] as page, b.file
      from bodies b
      join lessons l on l.key = b.lesson_key and l.withdrawn_at is null
      join journeys j on j.key = l.journey_key and j.withdrawn_at is null
      join courses c on c.id = j.course_id
      join entries x on x.id = c.id and x.status = 'published'
      union all
      select 'microcourse', 2, m.position, 0, 0, m.id, b.locale, md5(b.locale || b.source), m.title, null,
        array['microcourse', m.slug], b.file
      from bodies b
      join microcourses m on m.id = b.microcourse_id
      join entries x on x.id = m.id and x.status = 'published'
      union all
      select 'article', 3, 0, 0, (-extract(epoch from a.published_date))::int, a.id::text, a.locale, md5(a.locale || a.body),
        jsonb_build_object(a.locale, a.title), null, array['article', a.slug], null
      from articles a where a.withdrawn_at is null) texts
    order by nth, first, second, third, key, locale`.execute(db);
  return rows;
}

/** The sources of some texts, by their digest. */
export async function findSources(
  db: Db,
  texts: readonly Pick<PublishedText, 'kind' | 'key' | 'locale'>[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ digest: string; source: string }>`
    with wanted as (
      select r.kind, r.key, r.locale
      from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as r(kind text, key text, locale text))
    select md5(b.locale || b.source) as digest, b.source from wanted w
      join bodies b on b.lesson_key = w.key::uuid and b.locale = w.locale where w.kind = 'course'
    union all
    select md5(b.locale || b.source), b.source from wanted w
      join bodies b on b.microcourse_id = w.key and b.locale = w.locale where w.kind = 'microcourse'
    union all
    select md5(a.locale || a.body), a.body from wanted w
      join articles a on a.id = w.key::uuid where w.kind = 'article'`.execute(db);
  return new Map(rows.map(({ digest, source }) => [digest, source]));
}
