import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { isUser, type Viewer } from '../access/viewer.ts';
import type { Ctx } from '../ctx.ts';
import { inTransaction, NOW, runPrepared } from '../db/client.ts';
import { AppError, invalid } from '../errors.ts';
import { errorBody, toAppError } from './errors.ts';

export type OpenedSession = { token: string; maxAgeSeconds?: number };
/** `session`: the opened session, which a repetition receives too. */
export type KeyedOutcome = { status: number; body: unknown; session?: OpenedSession };
/** Replies that open a session contain secrets; they are stored sealed. */
type Kept = { body?: unknown; sealed?: string };

/** Reads the header; undefined when it is absent, 400 when it is not 1 to 128 characters. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header.length < 1 || header.length > 128)
    throw invalid('Idempotency-Key', 'Must be 1 to 128 characters');
  return header;
}

/** The owner of a key. Anonymous callers are distinguished by address. */
export function callerOf(viewer: Viewer, address: string): string {
  return viewer.kind === 'user'
    ? viewer.id
    : viewer.kind === 'service'
      ? `service:${viewer.name}`
      : `address:${address}`;
}

/**
 * The stored form of a key. For a narrowed session it includes the permissions, so that no reply of another session of
 * the same user is repeated to it. A header contains no line break, so the two parts stay distinct.
 */
export function scopedKey(viewer: Viewer, key: string): string {
  return isUser(viewer) && viewer.permissions ? `${key}\n${hashOf(viewer.permissions).toString('base64url')}` : key;
}

type Keyed = { caller: string; key: string; request: unknown; requestId: string };
type KeyRow = { request_hash: Buffer; status: number | null; reply: Kept | null };
const KEY_COLUMNS = ['request_hash', 'status', 'reply'] as const;
const DAY_AGO = sql<Date>`now() - interval '24 hours'`;

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest();
const ownerOf = ({ caller, key }: Keyed) => `${caller} ${key}`;

function keep(ctx: Ctx, call: Keyed, { body, session }: KeyedOutcome): Kept {
  if (!session) return { body };
  return { sealed: ctx.seal.close(Buffer.from(JSON.stringify({ body, session })), ownerOf(call)).toString('base64') };
}

/** Undefined when it was sealed with another key of the installation. */
function unseal(ctx: Ctx, call: Keyed, { body, sealed }: Kept): Omit<KeyedOutcome, 'status'> | undefined {
  if (sealed === undefined) return { body };
  const opened = ctx.seal.open(Buffer.from(sealed, 'base64'), ownerOf(call));
  return opened && (JSON.parse(opened.toString()) as Omit<KeyedOutcome, 'status'>); // `keep` wrote it
}

/** The stored reply of a key; undefined when there is none. */
function recall(ctx: Ctx, call: Keyed, row: KeyRow | undefined): KeyedOutcome | undefined {
  if (row && !row.request_hash.equals(hashOf(call.request))) throw new AppError('idempotency.reused');
  if (row?.status == null) return undefined;
  // null: the reply was about somebody who was erased since (http/personal-data.ts).
  const kept = row.reply && unseal(ctx, call, row.reply);
  if (!kept) throw new AppError('request.not_found');
  return { status: row.status, ...kept };
}

/**
 * Runs `work` once per key and caller. The key's row and all writes of `work` commit together, so a repetition, even a
 * concurrent one or one after a crash, gets the first reply and has no effect. Refusals are stored too; server errors
 * are not.
 */
export async function once(ctx: Ctx, call: Keyed, work: (ctx: Ctx) => Promise<KeyedOutcome>): Promise<KeyedOutcome> {
  return await inTransaction(ctx.db, async (trx) => {
    // Waits for a concurrent request with the same key to commit or roll back.
    const [row] = await runPrepared(
      trx,
      trx
        .insertInto('idempotency_keys')
        .values({ caller: call.caller, key: call.key, request_hash: hashOf(call.request) })
        .onConflict((row) =>
          row.columns(['caller', 'key']).doUpdateSet(({ eb, ref }) => {
            const isOld = eb('idempotency_keys.created_at', '<', DAY_AGO);
            return {
              request_hash: eb
                .case()
                .when(isOld)
                .then(ref('excluded.request_hash'))
                .else(ref('idempotency_keys.request_hash'))
                .end(),
              status: eb.case().when(isOld).then(null).else(ref('idempotency_keys.status')).end(),
              created_at: eb.case().when(isOld).then(NOW).else(ref('idempotency_keys.created_at')).end(),
            };
          }),
        )
        .returning(KEY_COLUMNS)
        .$castTo<KeyRow>(),
    );
    const known = recall(ctx, call, row);
    if (known) return known;

    const outcome = await inTransaction(trx, (inner) => work({ ...ctx, db: inner })).catch(
      (error: unknown): KeyedOutcome => {
        const known = toAppError(error);
        if (known.status >= 500 || known.status === 429) throw error;
        return { status: known.status, body: errorBody(known, call.requestId) };
      },
    );
    await runPrepared(
      trx,
      trx
        .updateTable('idempotency_keys')
        .set({ status: outcome.status, reply: JSON.stringify(keep(ctx, call, outcome)) })
        .where('caller', '=', call.caller)
        .where('key', '=', call.key),
    );
    return outcome;
  });
}

/**
 * Like `once`, for work that waits for an outside service, which no transaction may do: `ask` runs before the
 * transaction and returns the work. Concurrent requests both ask; the first stored reply answers both.
 */
export async function onceAsked(
  ctx: Ctx,
  call: Keyed,
  ask: () => Promise<(ctx: Ctx) => Promise<KeyedOutcome>>,
): Promise<KeyedOutcome> {
  const [row] = await runPrepared(
    ctx.db,
    ctx.db
      .selectFrom('idempotency_keys')
      .select(KEY_COLUMNS)
      .where('caller', '=', call.caller)
      .where('key', '=', call.key)
      .where('created_at', '>=', DAY_AGO)
      .$castTo<KeyRow>(),
  );
  const known = recall(ctx, call, row);
  if (known) return known;
  const work = await ask().catch((error: unknown) => async (): Promise<KeyedOutcome> => {
    throw error; // `once` stores the refusal
  });
  return await once(ctx, call, work);
}
