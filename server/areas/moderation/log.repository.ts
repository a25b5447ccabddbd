import { sql } from 'kysely';
import { REPORT_REASONS, type ReportReason } from '@officium/contract/moderation';
import type { Db } from '#server/db/client.ts';

export type ActRow = {
  id: string;
  actor: { id: string; name: string } | null;
  action: string;
  reason: ReportReason | null;
  createdAt: Date;
};

/** What an actor is called who is a person. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** What was noted of a community, newest first. */
export async function findActs(
  db: Db,
  asked: { communityId: string; limit: number; offset: number },
): Promise<ActRow[]> {
  const { rows } = await sql<ActRow>`
    select l.id, case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as actor, l.action,
      case when l.detail ->> 'reason' = any(${REPORT_REASONS}::text[]) then l.detail ->> 'reason' end as reason,
      l.created_at as "createdAt"
    from (
      select * from audit_log l where l.detail ->> 'communityId' = ${asked.communityId}
      order by l.created_at desc, l.id desc limit ${asked.limit} offset ${asked.offset}) l
    left join users u on u.id = case when l.actor ~ ${UUID} then l.actor::uuid end and u.erased_at is null
    order by l.created_at desc, l.id desc`.execute(db);
  return rows;
}
