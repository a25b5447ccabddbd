// Raw SQL: the sweep deletes by a condition over several tables.
import { type SqlBool, sql } from 'kysely';

/** A deleted text and its pictures can be brought back for a week, a removed one as long as its decision holds it. */
const KEPT = sql`now() - interval '7 days'`;

/** Whether a row of `post_pictures` is over: it was never sent, or its text is gone for good. */
export const isOverPicture = sql<SqlBool>`post_pictures.created_at < now() - interval '1 day'
  and not exists (
    select from activities a where a.id = post_pictures.object_id and coalesce(a.deleted_at, 'infinity') > ${KEPT})
  and not exists (
    select from reactions r join activities a on a.id = r.activity_id
    where r.id = post_pictures.object_id and least(r.deleted_at, a.deleted_at, 'infinity') > ${KEPT})
  and not exists (
    select from moderation_decisions d where d.held is not null and d.object_id = post_pictures.object_id)
  and not exists (
    select from reactions r join moderation_decisions d on d.object_id = r.activity_id
    where r.id = post_pictures.object_id and d.held is not null)`;
