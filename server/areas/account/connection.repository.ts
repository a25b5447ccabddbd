import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { Status } from './connection.policy.ts';
import type { ConnectionRow } from './connection.view.ts';

type Pair = { userId: string; peerId: string };

/** The connections of a person, each with who is at its other end. */
const ROWS = (userId: string) => sql`
  select c.id as connection_id, c.asker_id, c.status, c.created_at as connected_at, c.updated_at as changed_at,
         u.id, u.name, u.image_thumbnail, u.job_title, u.organization, u.visibility
  from connections c
  join users u on u.id = case when c.low_id = ${userId} then c.high_id else c.low_id end and u.erased_at is null
  where (c.low_id = ${userId} or c.high_id = ${userId})`;

type Asked = {
  userId: string;
  status?: Status | undefined;
  direction?: 'outgoing' | 'incoming' | undefined;
  /** Part of the name at the other end. */
  name?: string | undefined;
  limit: number;
  offset: number;
};

/** Newest change first. `status`, `direction` and `name` narrow. */
export async function findConnections(
  db: Db,
  { userId, status, direction, name, limit, offset }: Asked,
): Promise<{ rows: ConnectionRow[]; total: number }> {
  // Wide forms become what they stand for before it is escaped: unaccent would do it after.
  const part = name && `%${name.normalize('NFKC').replace(/[\\%_]/g, '\\$&')}%`;
  const having = sql.join(
    [
      sql``,
      ...(status ? [sql`c.status = ${status}`] : []),
      ...(direction ? [sql`(c.asker_id = ${userId}) = ${direction === 'outgoing'}`] : []),
      ...(part ? [sql`search_form(u.name) like search_form(${part}::text)`] : []),
    ],
    sql` and `,
  );
  const { rows } = await sql<ConnectionRow>`
    ${ROWS(userId)} ${having}
    order by c.updated_at desc, c.id desc limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (${ROWS(userId)} ${having}) counted`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** By its own id or the peer's. */
export async function getConnection(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<ConnectionRow | undefined> {
  const { rows } =
    await sql<ConnectionRow>`${ROWS(userId)} and ${id} in (c.id, u.id) order by c.id = ${id} desc`.execute(db);
  return rows[0];
}

/** Whether both may be connected: there, proven and in use. Holds off their erasure until the transaction ends. */
export async function lockPair(db: Db, { userId, peerId }: Pair): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users
    where id in (${userId}, ${peerId}) and erased_at is null and email_proven_at is not null and role <> 'inactive'
    order by id for share`.execute(db);
  return rows.length === 2;
}

/** False when the two have a connection; waits for one that is just being made. */
export async function insertConnection(db: Db, { userId, peerId }: Pair): Promise<boolean> {
  const { rows } = await sql`
    insert into connections (id, low_id, high_id, asker_id)
    values (${newId()}, least(${userId}::uuid, ${peerId}), greatest(${userId}::uuid, ${peerId}), ${userId})
    on conflict (low_id, high_id) do nothing returning 1`.execute(db);
  return rows.length > 0;
}

export type LockedConnection = { id: string; asker_id: string; status: Status; is_resting: boolean };

/** `is_resting`: the last change was in the `restDays` before now. */
export async function lockConnection(
  db: Db,
  { userId, peerId, restDays }: Pair & { restDays: number },
): Promise<LockedConnection | undefined> {
  const { rows } = await sql<LockedConnection>`
    select id, asker_id, status, updated_at > now() - make_interval(days => ${restDays}) as is_resting
    from connections
    where low_id = least(${userId}::uuid, ${peerId}) and high_id = greatest(${userId}::uuid, ${peerId})
    for update`.execute(db);
  return rows[0];
}

export async function updateConnection(
  db: Db,
  { id, status, askerId }: { id: string; status: Status; askerId: string },
): Promise<void> {
  await sql`
    update connections set status = ${status}, asker_id = ${askerId}, updated_at = now() where id = ${id}`.execute(db);
}

/** Are the two connected now? */
export async function hasConnection(db: Db, { userId, peerId }: Pair): Promise<boolean> {
  const { rows } = await sql`
    select 1 from connections
    where low_id = least(${userId}::uuid, ${peerId}) and high_id = greatest(${userId}::uuid, ${peerId})
      and status = 'accepted'`.execute(db);
  return rows.length > 0;
}
