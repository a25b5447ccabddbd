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

/** Matches actors that are users. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export async function hasEntry(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('audit_log').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Audit entries, newest first. `after` is the id of the last entry on the previous page. */
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
  const { actor, action, object, from, to, after, limit } = query;
  let page = db.selectFrom('audit_log').selectAll();
  if (actor !== undefined) page = page.where('actor', '=', actor);
  if (action !== undefined) page = page.where('action', '=', action);
  if (object !== undefined) page = page.where('object', '=', object);
  if (from !== undefined) page = page.where('created_at', '>=', from);
  if (to !== undefined) page = page.where('created_at', '<', to);
  if (after !== undefined)
    page = page.where((eb) =>
      eb(
        eb.refTuple('created_at', 'id'),
        '<',
        eb
          .selectFrom('audit_log as seen')
          .select(['seen.created_at', 'seen.id'])
          .where('seen.id', '=', after)
          .$asTuple('created_at', 'id'),
      ),
    );
  return await db
    .selectFrom(page.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).as('l'))
    .leftJoin('users as u', (join) =>
      join.on((eb) => {
        const isUser = sql<boolean>`${eb.ref('l.actor')} ~ ${UUID}`;
        return eb(
          'u.id',
          '=',
          eb
            .case()
            .when(isUser)
            .then(sql<string>`${eb.ref('l.actor')}::uuid`)
            .end(),
        );
      }),
    )
    .select((eb) => [
      'l.id',
      'l.actor',
      'u.name as actorName',
      eb('u.erased_at', 'is not', null).$castTo<boolean>().as('isActorDeleted'),
      'l.action',
      'l.object',
      eb.ref('l.detail').$castTo<Record<string, unknown>>().as('detail'),
      'l.request_id as requestId',
      'l.created_at as createdAt',
    ])
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .execute();
}
