// Raw SQL: the system catalogues and the job queue's schema, which have no generated types.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type SystemRow = {
  postgresql: string;
  jobStore: number;
  migrations: number;
  lastMigration: string;
  lastMigratedAt: Date;
  databaseBytes: number;
  contentFiles: number;
  contentBytes: number;
  exportFiles: number;
  exportBytes: number;
  pictures: number;
};

export async function getSystem(db: Db): Promise<SystemRow> {
  const { rows } = await sql<SystemRow>`
    select current_setting('server_version') as postgresql, (select max(version) from jobs.version) as "jobStore",
      m.migrations, m.name as "lastMigration", m.applied_at as "lastMigratedAt",
      pg_database_size(current_database()) as "databaseBytes", c.files as "contentFiles", c.bytes as "contentBytes",
      e.files as "exportFiles", e.bytes as "exportBytes", (select count(*)::int from profile_images) as pictures
    from (select count(*) over ()::int as migrations, name, applied_at from migrations order by name desc limit 1) m,
      (select count(*)::int as files, coalesce(sum(bytes), 0)::bigint as bytes
       from stored_files) c,
      (select count(*)::int as files, coalesce(sum(bytes), 0)::bigint as bytes
       from (select bytes from data_exports where status = 'ready'
         union all select bytes from whole_exports where status = 'ready') ready) e`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('no migrations found');
  return row;
}

/** The ten largest tables, including indexes and TOAST. */
export async function findLargestTables(db: Db): Promise<{ name: string; bytes: number; rows: number }[]> {
  const { rows } = await sql<{ name: string; bytes: number; rows: number }>`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as name,
      pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::bigint as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'jobs')
    order by 2 desc, 1 limit 10`.execute(db);
  return rows;
}

/** Database connections whose application name starts with ours. */
export async function findListeners(db: Db, name: string): Promise<{ name: string; connectedAt: Date }[]> {
  const { rows } = await sql<{ name: string; connectedAt: Date }>`
    select application_name as name, backend_start as "connectedAt" from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${name})
    order by backend_start`.execute(db);
  return rows;
}

export type ContentEventRow = {
  id: string;
  topic: string;
  entryId: string;
  contentType: string | null;
  version: number | null;
  outcome: 'applied' | 'ignored';
  reason: 'topic' | 'older' | 'absent' | null;
  onlyIndex: boolean;
  requestId: string;
  receivedAt: Date;
};

/** Events received from the content platform, latest first, with the total. */
export async function findContentEvents(
  db: Db,
  query: { outcome: string | undefined; entry: string | undefined; limit: number; offset: number },
): Promise<{ events: ContentEventRow[]; total: number }> {
  let matching = db.selectFrom('content_events');
  if (query.outcome !== undefined) matching = matching.where('outcome', '=', query.outcome);
  if (query.entry !== undefined) matching = matching.where('entry_id', '=', query.entry);
  const page = matching
    .select([
      'id',
      'topic',
      'entry_id as entryId',
      'content_type as contentType',
      'version',
      'outcome',
      'reason',
      'only_index as onlyIndex',
      'request_id as requestId',
      'received_at as receivedAt',
    ])
    .$narrowType<Pick<ContentEventRow, 'outcome' | 'reason'>>()
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(query.offset);
  const counted = matching.select(sql<number>`count(*)::int`.as('total'));
  const [events, { total }] = await Promise.all([page.execute(), counted.executeTakeFirstOrThrow()]);
  return { events, total };
}
