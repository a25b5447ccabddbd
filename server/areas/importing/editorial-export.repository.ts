import { EDITORIAL_KINDS, type EditorialKind } from '@officium/contract/editorials';
import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Schedule } from './event-schedule.policy.ts';
import type { Db } from '#server/db/client.ts';

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

const SCHEDULE = sql`(select jsonb_build_object('starts', v.starts, 'ends', v.ends, 'timeZone', v.time_zone,
  'recurrence', v.recurrence, 'place', v.place, 'link', v.link, 'capacity', v.capacity, 'recording', v.recording,
  'community', case when is_content_published('community', v.community_id::text) then y.slug end,
  'course', case when is_content_published('course', v.course_id) then c.slug end)
  from events v left join communities y on y.id = v.community_id left join courses c on c.id = v.course_id
  where v.id = e.id)`;

/** Everything published, by kind and in the order of the catalogue, without links to what is not. */
export async function findEditorialsOut(db: Db): Promise<EditorialOut[]> {
  const { rows } = await sql<EditorialOut>`
    select e.id, e.kind, e.slug, e.title, e.summary, e.parts, e.cover, e.cover_alt, e.human_translation,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      (select coalesce(jsonb_agg(content_path(i.kind, i.key) order by i.position), '[]') from editorial_items i
        where i.editorial_id = e.id and is_content_published(i.kind, i.key)) as items,
      ${SCHEDULE} as schedule
    from editorials e join entries x on x.id = e.id and x.status = 'published' left join products p on p.entry_id = e.id
    order by array_position(${[...EDITORIAL_KINDS]}::text[], e.kind), e.position, e.slug`.execute(db);
  return rows;
}
