import { sql } from 'kysely'; // raw: fields of the JSON detail, which an expression index serves, and the cast of the actor
import { REPORT_REASONS, type ReportReason } from '@officium/contract/moderation';
import type { Db } from '#server/db/client.ts';

export type LogRow = {
  id: string;
  actor: { id: string; name: string } | null;
  action: string;
  reason: ReportReason | null;
  createdAt: Date;
};

/** Actors of the audit log that are users. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** Log entries of a community, newest first. */
export async function findLogEntries(
  db: Db,
  query: { communityId: string; limit: number; offset: number },
): Promise<LogRow[]> {
  const entries = db
    .selectFrom('audit_log')
    .select(['id', 'actor', 'action', 'detail', 'created_at'])
    .where(({ eb, ref }) => eb(sql<string>`${ref('detail')} ->> 'communityId'`, '=', query.communityId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(query.offset);
  return await db
    .selectFrom(entries.as('l'))
    .leftJoin('users as u', (join) =>
      join
        .on((on) =>
          on('u.id', '=', sql<string>`case when ${on.ref('l.actor')} ~ ${UUID} then ${on.ref('l.actor')}::uuid end`),
        )
        .on('u.erased_at', 'is', null),
    )
    .select(({ ref }) => [
      'l.id',
      sql<LogRow['actor']>`case when ${ref('u.id')} is not null
        then json_build_object('id', ${ref('u.id')}, 'name', ${ref('u.name')}) end`.as('actor'),
      'l.action',
      sql<LogRow['reason']>`case when ${ref('l.detail')} ->> 'reason' = any(${REPORT_REASONS}::text[])
        then ${ref('l.detail')} ->> 'reason' end`.as('reason'),
      'l.created_at as createdAt',
    ])
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .execute();
}
