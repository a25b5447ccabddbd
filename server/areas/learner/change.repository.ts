import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ChangesJson } from './learner.rows.ts';

/**
 * What happened to a journey since the learner finished it, or was told of it, as JSON; null where nothing did, or the
 * journey is not finished or no longer there. `place` names a row of journey_enrolments. A lesson counts as changed when
 * its text did in the language it was completed in. What of it is read is no longer new: added lessons by completing
 * them, the rest by saying so.
 */
export function changesJson(place: RawBuilder<unknown>): RawBuilder<ChangesJson | null> {
  const link = sql`json_build_object('slug', news.slug, 'title', news.title) order by news.position, news.key`;
  return sql<ChangesJson | null>`(
    select json_build_object(
      'revision', max(news.revision),
      'added', coalesce(json_agg(${link}) filter (where news.what = 'added'), '[]'),
      'changed', coalesce(json_agg(${link}) filter (where news.what = 'changed'), '[]'),
      'removed', count(*) filter (where news.what = 'removed'))
    from (
      select lesson.key, lesson.slug, lesson.title, lesson.position, current.revision,
        case
          when lesson.withdrawn_at is not null then
            case when lesson.withdrawn_in > ${place}.seen_revision and done.id is not null then 'removed' end
          when done.id is null then case when lesson.added_in > ${place}.seen_revision then 'added' end
          when coalesce(
            (select body.changed_in from bodies body where body.lesson_key = lesson.key and body.locale = done.locale),
            (select max(body.changed_in) from bodies body where body.lesson_key = lesson.key)
          ) > greatest(${place}.seen_revision, done.revision) then 'changed'
        end as what
      from journeys current
      join lessons lesson on lesson.journey_key = current.key
      left join lesson_completions done on done.lesson_key = lesson.key and done.user_id = ${place}.user_id
      where current.key = ${place}.journey_key and current.withdrawn_at is null
        and ${place}.completed_at is not null and current.revision > ${place}.seen_revision
      offset 0 -- once, not for each mention of "what"
    ) news
    where news.what is not null
    having count(*) > 0)`;
}

/** What changed up to a revision is news no more; never a later one, and never back. */
export async function markSeen(
  db: Db,
  { userId, journeyKey, revision }: { userId: string; journeyKey: string; revision: number },
): Promise<void> {
  await sql`
    update journey_enrolments e set seen_revision = greatest(e.seen_revision, least(${revision}::int, j.revision))
    from journeys j
    where e.user_id = ${userId} and e.journey_key = ${journeyKey} and j.key = e.journey_key
      and e.completed_at is not null`.execute(db);
}
