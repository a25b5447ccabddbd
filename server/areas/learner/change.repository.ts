// Raw SQL: one nested JSON aggregate, which other statements embed.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ChangesJson } from './learner.rows.ts';

/**
 * Changes of a journey since the learner finished it or marked them as seen, as JSON. Null without changes, and for a
 * journey that is unfinished, being renewed or withdrawn. `enrolment` names a row of journey_enrolments. A lesson counts as changed when
 * its text changed in the language of its completion. Completing an added lesson marks it as seen.
 */
export function changesJson(enrolment: RawBuilder<unknown>): RawBuilder<ChangesJson | null> {
  const link = sql`json_build_object('slug', change.slug, 'title', change.title) order by change.position, change.key`;
  return sql<ChangesJson | null>`(
    select json_build_object(
      'revision', max(change.revision),
      'added', coalesce(json_agg(${link}) filter (where change.what = 'added'), '[]'),
      'changed', coalesce(json_agg(${link}) filter (where change.what = 'changed'), '[]'),
      'removed', count(*) filter (where change.what = 'removed'))
    from (
      select lesson.key, lesson.slug, lesson.title, lesson.position, current.revision,
        case
          when lesson.withdrawn_at is not null then
            case when lesson.withdrawn_in > ${enrolment}.seen_revision and done.id is not null then 'removed' end
          when done.id is null then case when lesson.added_in > ${enrolment}.seen_revision then 'added' end
          when coalesce(
            (select body.changed_in from bodies body where body.lesson_key = lesson.key and body.locale = done.locale),
            (select max(body.changed_in) from bodies body where body.lesson_key = lesson.key)
          ) > greatest(${enrolment}.seen_revision, done.revision) then 'changed'
        end as what
      from journeys current
      join lessons lesson on lesson.journey_key = current.key
      left join lesson_completions done on done.lesson_key = lesson.key and done.user_id = ${enrolment}.user_id
        and done.lapsed_at is null
      where current.key = ${enrolment}.journey_key and current.withdrawn_at is null
        and not is_under_way(${enrolment}) and current.revision > ${enrolment}.seen_revision
      offset 0 -- evaluates "what" once per row, not once per use
    ) change
    where change.what is not null
    having count(*) > 0)`;
}

/** Marks changes up to a revision as seen. Never moves beyond the current revision, and never back. */
export async function markSeen(
  db: Db,
  { userId, journeyKey, revision }: { userId: string; journeyKey: string; revision: number },
): Promise<void> {
  await db
    .updateTable('journey_enrolments as e')
    .from('journeys as j')
    .set((eb) => ({
      seen_revision: eb.fn<number>('greatest', [
        'e.seen_revision',
        eb.fn('least', [sql`${revision}::int`, 'j.revision']),
      ]),
    }))
    .where('e.user_id', '=', userId)
    .where('e.journey_key', '=', journeyKey)
    .whereRef('j.key', '=', 'e.journey_key')
    .where('e.completed_at', 'is not', null)
    .execute();
}
