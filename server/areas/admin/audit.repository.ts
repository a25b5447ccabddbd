import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type AuditRow = {
  id: string;
  actor: string;
  actorName: string | null;
  isActorDeleted: boolean;
  action: string;
  object: string;
  detail: Record<string, unknown>;
  requestId: string | null;
  createdAt: Date;
};

/** What an actor is called who is a person. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export async function hasEntry(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from audit_log where id = ${id}`.execute(db);
  return rows.length > 0;
}

/** What was noted, newest first; `after` is the id of the last one seen. */
export async function findEntries(
  db: Db,
  query: {
    actor?: string;
    action?: string;
    object?: string;
    from: Date | undefined;
    to: Date | undefined;
    after: string | undefined;
    limit: number;
  },
): Promise<AuditRow[]> {
  const { actor, action, object, from, to, after } = query;
  const wanted = [
    ...(actor === undefined ? [] : [sql`l.actor = ${actor}`]),
    ...(action === undefined ? [] : [sql`l.action = ${action}`]),
    ...(object === undefined ? [] : [sql`l.object = ${object}`]),
    ...(from === undefined ? [] : [sql`l.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`l.created_at < ${to}`]),
    ...(after === undefined
      ? []
      : [sql`(l.created_at, l.id) < (select seen.created_at, seen.id from audit_log seen where seen.id = ${after})`]),
  ];
  const where = wanted.length > 0 ? sql`where ${sql.join(wanted, sql` and `)}` : sql``;
  const { rows } = await sql<AuditRow>`
    select l.id, l.actor, u.name as "actorName", u.erased_at is not null as "isActorDeleted", l.action, l.object, l.detail, l.request_id as "requestId",
      l.created_at as "createdAt"
    from (select * from audit_log l ${where} order by l.created_at desc, l.id desc limit ${query.limit}) l
    left join users u on u.id = case when l.actor ~ ${UUID} then l.actor::uuid end
    order by l.created_at desc, l.id desc`.execute(db);
  return rows;
}
