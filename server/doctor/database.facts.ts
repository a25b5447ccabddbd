import pg from 'pg';
import { readSchema } from '#server/db/schema-files.ts';

/** Facts that a database reports about itself. */
export type DatabaseFacts = {
  version: number;
  encoding: string;
  /** The locale that decides what a letter is. */
  ctype: string;
  isSuperuser: boolean;
  isReplica: boolean;
  /** Connections that applications may open, and how many others than Officium hold. */
  connections: number;
  othersConnections: number;
  unsafe: string[];
  missingExtensions: string[];
  mayCreateExtensions: boolean;
  /** Its clock minus ours. */
  skewMs: number;
  /** The same for every address of one server. */
  server: string;
  replayLagSeconds: number;
};

const CONNECT_MS = 8_000;

/** Connects once, without our pools: they retry, and hide why. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'officium-doctor',
  });
  client.on('error', () => {}); // the running statement reports it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const FACTS = `
  select current_setting('server_version_num')::int / 10000 as version,
    pg_encoding_to_char(d.encoding) as encoding,
    case to_jsonb(d)->>'datlocprovider'
      when 'c' then d.datctype
      else coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale', d.datctype) end as ctype,
    (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
    pg_is_in_recovery() as "isReplica",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
    (select count(*)::int from pg_stat_activity
      where backend_type = 'client backend' and application_name not like 'officium%'
        and application_name not like 'pgboss%') as "othersConnections",
    array(select name from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as unsafe,
    array(select name from unnest(array['pg_trgm', 'unaccent']) name
      where name not in (select extname from pg_extension)
        and name not in (select name from pg_available_extensions)) as "missingExtensions",
    has_database_privilege(d.oid, 'create') as "mayCreateExtensions",
    pg_postmaster_start_time()::text || d.oid as server,
    coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp())::float8, 0)
      * (pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn())::int as "replayLagSeconds",
    clock_timestamp() as now
  from pg_database d where d.datname = current_database()`;

export async function readDatabase(client: pg.Client): Promise<DatabaseFacts> {
  const before = Date.now();
  const { rows } = await client.query<Omit<DatabaseFacts, 'skewMs'> & { now: Date }>(FACTS);
  const { now, ...facts } = rows[0]!; // the current database has one row
  return { ...facts, skewMs: now.getTime() - (before + Date.now()) / 2 };
}

export type MigrationFacts = { isNew: boolean; pending: string[]; unknown: string[]; altered: string[] };

/** How the migrations of the database compare to ours. */
export async function readMigrations(client: pg.Client): Promise<MigrationFacts> {
  const { migrations } = await readSchema();
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('migrations') is not null as found`,
  );
  if (!tables[0]?.found) return { isNew: true, pending: [], unknown: [], altered: [] };
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations');
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const newest = migrations.at(-1)?.name ?? '';
  return {
    isNew: false,
    pending: migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => name > newest),
    altered: migrations
      .filter(({ name, hash }) => applied.has(name) && applied.get(name) !== hash)
      .map(({ name }) => name),
  };
}
