import { lockName } from '#server/db/advisory-lock.ts';
import { inTransaction, newId, type Db } from '#server/db/client.ts';
import { isUser, type Viewer } from '#server/access/viewer.ts';

export type Action = {
  /** `area.verb-noun`. */
  action: string;
  /** The id of the object of the action. */
  object: string;
  /** Never a secret, and nothing personal beyond ids. */
  detail?: Record<string, unknown>;
  /** The actor's request when left out. */
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

/** Records an accountable action in its own transaction. */
export async function recordAction(db: Db, actor: Viewer | 'system', action: Action): Promise<void> {
  const requestId = action.requestId ?? (actor === 'system' ? undefined : actor.requestId);
  await db
    .insertInto('audit_log')
    .values({
      id: newId(),
      actor: nameOf(actor),
      action: action.action,
      object: action.object,
      detail: JSON.stringify(action.detail ?? {}),
      request_id: requestId ?? null,
    })
    .execute();
}

const HOUR_MS = 3_600_000;

/** Records a repeated action, such as reading, once an hour per object. */
export async function recordHourly(db: Db, actor: Viewer, action: Action): Promise<void> {
  if (await isRecorded(db, actor, action)) return;
  await inTransaction(db, async (trx) => {
    const key = [nameOf(actor), action.action, action.object].join(' ');
    await lockName(trx, key);
    if (!(await isRecorded(trx, actor, action))) await recordAction(trx, actor, action);
  });
}

/** Records that an administrator sees e-mail addresses in a list of accounts or records. */
export async function recordSearch(db: Db, actor: Viewer): Promise<void> {
  if (isUser(actor)) await recordHourly(db, actor, { action: 'admin.search-people', object: 'people' });
}

async function isRecorded(db: Db, actor: Viewer, { action, object }: Action): Promise<boolean> {
  // Ids sort by time, and the log is indexed by them.
  const row = await db
    .selectFrom('audit_log')
    .select('id')
    .where('id', '>', newId(new Date(Date.now() - HOUR_MS)))
    .where('actor', '=', nameOf(actor))
    .where('action', '=', action)
    .where('object', '=', object)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
