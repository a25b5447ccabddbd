import { type RawBuilder, sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import { totalOf } from '#server/db/total.ts';
import type { Status } from './connection.policy.ts';
import type { ConnectionRow } from './connection.view.ts';

export type ConnectionPair = { userId: string; peerId: string };

const lower = ({ userId, peerId }: ConnectionPair): RawBuilder<string> => sql`least(${userId}::uuid, ${peerId})`;
const higher = ({ userId, peerId }: ConnectionPair): RawBuilder<string> => sql`greatest(${userId}::uuid, ${peerId})`;

/** The connections `c` of a user, each with the other user `u`. */
function connectionsOf(db: Db, userId: string) {
  return db
    .selectFrom('connections as c')
    .innerJoin('users as u', (join) =>
      join
        .on((eb) => {
          const peer = eb.case().when('c.low_id', '=', userId).then(eb.ref('c.high_id')).else(eb.ref('c.low_id')).end();
          return eb('u.id', '=', peer);
        })
        .on('u.erased_at', 'is', null),
    )
    .where((eb) => eb.or([eb('c.low_id', '=', userId), eb('c.high_id', '=', userId)]));
}

const COLUMNS = [
  'c.id as connection_id',
  'c.asker_id',
  'c.status',
  'c.created_at as connected_at',
  'c.updated_at as changed_at',
  'u.id',
  'u.name',
  'u.image_thumbnail',
  'u.job_title',
  'u.organization',
  'u.visibility',
] as const;

type ConnectionQuery = {
  userId: string;
  status?: Status | undefined;
  direction?: 'outgoing' | 'incoming' | undefined;
  /** Part of the other user's name. */
  name?: string | undefined;
  limit: number;
  offset: number;
};

/** Latest change first, optionally filtered by `status`, `direction` and `name`. */
export async function findConnections(
  db: Db,
  { userId, status, direction, name, limit, offset }: ConnectionQuery,
): Promise<{ rows: ConnectionRow[]; total: number }> {
  let matching = connectionsOf(db, userId);
  if (status) matching = matching.where('c.status', '=', status);
  if (direction) matching = matching.where('c.asker_id', direction === 'outgoing' ? '=' : '<>', userId);
  if (name) {
    // Normalised before escaping, because unaccent would otherwise produce unescaped characters.
    const part = `%${name.normalize('NFKC').replace(/[\\%_]/g, '\\$&')}%`;
    matching = matching.where((eb) => sql<boolean>`search_form(${eb.ref('u.name')}) like search_form(${part}::text)`);
  }
  const rows = await matching
    .select(COLUMNS)
    .$narrowType<{ status: Status }>()
    .orderBy('c.updated_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const total = await totalOf({ limit, offset }, rows, async () => {
    const counted = matching.select(sql<number>`count(*)::int`.as('total'));
    return (await counted.executeTakeFirstOrThrow()).total;
  });
  return { rows, total };
}

/** Finds a connection by its own id or the other user's. */
export async function getConnection(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<ConnectionRow | undefined> {
  return await connectionsOf(db, userId)
    .select(COLUMNS)
    .$narrowType<{ status: Status }>()
    .where((eb) => eb.or([eb('c.id', '=', id), eb('u.id', '=', id)]))
    .orderBy((eb) => eb('c.id', '=', id), 'desc')
    .executeTakeFirst();
}

/** True if both accounts exist, are proven and active. Blocks their erasure until the transaction ends. */
export async function lockPair(db: Db, { userId, peerId }: ConnectionPair): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [userId, peerId])
    .where('erased_at', 'is', null)
    .where('email_proven_at', 'is not', null)
    .where('role', '<>', 'inactive')
    .orderBy('id')
    .forShare()
    .execute();
  return rows.length === 2;
}

/** Undefined when the two already have a connection. Waits for a concurrent insert. */
export async function insertConnection(db: Db, pair: ConnectionPair): Promise<{ id: string } | undefined> {
  return await db
    .insertInto('connections')
    .values({ id: newId(), low_id: lower(pair), high_id: higher(pair), asker_id: pair.userId })
    .onConflict((conflict) => conflict.columns(['low_id', 'high_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
}

export type LockedConnection = { id: string; asker_id: string; status: Status; is_resting: boolean };

/** `is_resting`: the last change was less than `restDays` ago. */
export async function lockConnection(
  db: Db,
  { restDays, ...pair }: ConnectionPair & { restDays: number },
): Promise<LockedConnection | undefined> {
  return await db
    .selectFrom('connections')
    .select((eb) => [
      'id',
      'asker_id',
      'status',
      sql<boolean>`${eb.ref('updated_at')} > now() - make_interval(days => ${restDays})`.as('is_resting'),
    ])
    .$narrowType<{ status: Status }>()
    .where('low_id', '=', lower(pair))
    .where('high_id', '=', higher(pair))
    .forUpdate()
    .executeTakeFirst();
}

export async function updateConnection(
  db: Db,
  { id, status, askerId }: { id: string; status: Status; askerId: string },
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ status, asker_id: askerId, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** True while the two have an accepted connection. */
export async function hasConnection(db: Db, pair: ConnectionPair): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('low_id', '=', lower(pair))
    .where('high_id', '=', higher(pair))
    .where('status', '=', 'accepted')
    .executeTakeFirst();
  return row !== undefined;
}
