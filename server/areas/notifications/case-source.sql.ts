import { type RawBuilder, sql } from 'kysely';
import { joinLesson } from '#server/areas/community/discussions/lesson.sql.ts';
import { isTop } from '#server/areas/community/members/rights.sql.ts';
import { IS_REPORTED_THERE, moderatorsOf } from '#server/areas/community/moderators.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; isNarrowed: boolean; hasRoles: boolean };

/** Joins the place of a report or decision `row`: `c`, `lesson`, `course` or `article`. */
const joinPlace = (row: RawBuilder<unknown>) => sql`
  left join communities c on c.id = ${row}.community_id ${joinLesson(sql`${row}.activity_id`)}
  left join articles article on article.id = ${row}.object_id and ${row}.activity_id is null`;

const TITLE = sql.raw(`case when c.id is not null then ${localText('c.title', 'c.locale')}
  when lesson.key is not null then ${localText('lesson.title', `'en'`)} else article.title end`);

/** The condition that the viewer moderates the place of `joinPlace`. `isAuthorTop`: only its owners count. */
const mayDecide = (hasRoles: boolean, isAuthorTop = sql`false`) => sql`(v.is_admin or exists (
  select from ${moderatorsOf({ communityId: sql`c.id`, courseId: sql`course.id` }, hasRoles)} m
  where m.user_id = v.id and (m.is_top or not ${isAuthorTop})))`;

/**
 * Reports and appeals that wait for a decision, for people who may decide them now, never for the author nor for the
 * moderator whose decision is appealed. A narrowed session sees none.
 */
export function ofCases({ head, nobody, isNarrowed, hasRoles }: Source): RawBuilder<unknown> {
  const isAuthorTop = sql`exists (select from users a where a.id = d.author_id and ${sql.raw(isTop('a', 'd.community_id'))})`;
  return sql`
    select ${head}, ${nobody}, 1, ${TITLE}, null,
      case when c.id is not null then array['communityReports', c.slug]
        when course.id is not null then array['courseReports', course.slug] else array['articleReports'] end,
      null, null::timestamptz, null
    from v cross join n
    cross join lateral (
      select r.object_id, r.activity_id, r.community_id from content_reports r
      where r.object_id = n.object_id and r.status = 'open' limit 1) r ${joinPlace(sql`r`)}
    where n.event = 'report_waiting' and ${!isNarrowed} and ${IS_REPORTED_THERE} and ${mayDecide(hasRoles)}
    union all
    select ${head}, ${nobody}, 1, ${TITLE}, null, array['decision', d.id::text], null, null::timestamptz, null
    from v cross join n
    join moderation_decisions d on d.id = n.object_id and d.appealed_at is not null and d.outcome is null
      and v.id not in (d.author_id, d.decided_by) ${joinPlace(sql`d`)}
    where n.event = 'appeal_waiting' and ${!isNarrowed} and ${mayDecide(hasRoles, isAuthorTop)}`;
}
