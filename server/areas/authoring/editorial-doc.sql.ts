import type { EditorialKind } from '@officium/contract/editorials';
import { type RawBuilder, sql } from 'kysely';
import { isEditorialKind, partNames } from '#server/areas/catalogue/editorial.policy.ts';

/** The schedule of event `t`. */
const SCHEDULE = sql`(select jsonb_build_object('starts', v.starts, 'ends', v.ends, 'timeZone', v.time_zone,
  'recurrence', v.recurrence, 'place', v.place, 'link', v.link, 'capacity', v.capacity, 'recording', v.recording,
  'community', y.slug, 'course', c.slug)
  from events v left join communities y on y.id = v.community_id left join courses c on c.id = v.course_id
  where v.id = t.id)`;

/** The document of an editorial `t`, with the fields of its kind and no others. */
export function editorialDoc(kind: EditorialKind, cover: RawBuilder<unknown>): RawBuilder<unknown> {
  const fields = [sql`'kind', t.kind, 'slug', t.slug, 'title', t.title`];
  for (const part of partNames(kind)) fields.push(sql`${sql.lit(part)}, coalesce(t.parts->${sql.lit(part)}, '{}')`);
  if (kind !== 'question') fields.push(sql`'summary', t.summary`);
  if (kind !== 'question' && kind !== 'carousel') fields.push(cover);
  if (kind !== 'carousel' && kind !== 'picture') fields.push(sql`'humanTranslation', t.human_translation`);
  if (kind !== 'picture' && kind !== 'event') fields.push(sql`'items', editorial_paths(t.id)`);
  const doc = sql`jsonb_build_object(${sql.join(fields)})`;
  return kind === 'event' ? sql`${doc} || ${SCHEDULE}` : doc;
}

/** Whether pieces of this kind stand in the table `editorials`. */
export const isEditorial = (kind: string): kind is EditorialKind => isEditorialKind(kind);
