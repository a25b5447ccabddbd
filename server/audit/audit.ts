import { sql } from 'kysely';
import { inTransaction, newId, type Db } from '#server/db/client.ts';
import { isUser, type Viewer } from '#server/access/viewer.ts';

export type Action = {
  /** `area.verb-noun`. */
  action: string;
  /** The id of what it was done to. */
  object: string;
  /** Never a secret, and no more of a person than an id. */
  detail?: Record<string, unknown>;
  /** The request of the actor when left out. */
  requestId?: string;
};

function nameOf(actor: Viewer | 'system'): string {
  if (actor === 'system') return 'system';
  switch (actor.kind) {
    case 'user':
      return actor.id;
    case 'service':
      return `service:${actor.name}`;
    case 'anonymous':
      return 'anonymous';
  }
}

/** Notes who did something that must be answered for, in the transaction that does it. */
export async function recordAction(db: Db, actor: Viewer | 'system', action: Action): Promise<void> {
  const requestId = action.requestId ?? (actor === 'system' ? undefined : actor.requestId);
  await sql`
    insert into audit_log (id, actor, action, object, detail, request_id)
    values (${newId()}, ${nameOf(actor)}, ${action.action}, ${action.object}, ${JSON.stringify(action.detail ?? {})}, ${requestId ?? null})`.execute(
    db,
  );
}

const HOUR_MS = 3_600_000;

/** Notes what somebody does over and over, such as reading: once an hour for an object. */
export async function recordHourly(db: Db, actor: Viewer, action: Action): Promise<void> {
  if (await isRecorded(db, actor, action)) return;
  await inTransaction(db, async (trx) => {
    const key = [nameOf(actor), action.action, action.object].join(' ');
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
    if (!(await isRecorded(trx, actor, action))) await recordAction(trx, actor, action);
  });
}

/** Notes that an administrator looks at the addresses of people in general, as a list of accounts or of records has them. */
export async function recordSearch(db: Db, actor: Viewer): Promise<void> {
  if (isUser(actor)) await recordHourly(db, actor, { action: 'admin.search-people', object: 'people' });
}

async function isRecorded(db: Db, actor: Viewer, { action, object }: Action): Promise<boolean> {
  // Ids sort by time, and the log is indexed by them.
  const { rows } = await sql`
    select 1 from audit_log
    where id > ${newId(new Date(Date.now() - HOUR_MS))}::uuid and actor = ${nameOf(actor)} and action = ${action}
      and object = ${object}
    limit 1`.execute(db);
  return rows.length > 0;
}
