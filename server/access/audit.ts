import { sql } from 'kysely';
import { newId, type Db } from '../db/client.ts';
import type { Viewer } from './viewer.ts';

export type Action = {
  /** `area.verb-noun`. */
  action: string;
  /** The id of what it was done to. */
  object: string;
  /** Never a secret, and no more of a person than an id. */
  detail?: Record<string, unknown>;
  requestId?: string;
};

/** Notes who did something that must be answered for, in the transaction that does it. */
export async function recordAction(db: Db, actor: Viewer | 'system', action: Action): Promise<void> {
  const who =
    actor === 'system'
      ? 'system'
      : actor.kind === 'user'
        ? actor.id
        : actor.kind === 'service'
          ? `service:${actor.name}`
          : 'anonymous';
  await sql`
    insert into audit_log (id, actor, action, object, detail, request_id)
    values (${newId()}, ${who}, ${action.action}, ${action.object}, ${JSON.stringify(action.detail ?? {})}, ${action.requestId ?? null})`.execute(
    db,
  );
}
