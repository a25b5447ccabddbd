import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '@officium/contract/client';
import type { Endpoint } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import pg from 'pg';
import { openSession } from '../server/access/sessions.ts';
import { newId, openDatabase, type Db } from '../server/db/client.ts';
import { startEmbedded } from '../server/db/embedded/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { JOBS } from '../server/app/jobs.ts';
import { prepareJobs } from '../server/jobs/jobs.ts';
import { ask as askDatabase, type Person } from './fixture.ts';
import { freePort, ROOT, startProcess, type RunningProcess } from '../server/test/process.ts';

export type SandboxNode = RunningProcess & { url: string };
/** `status` 0: no response. */
export type Answer = { status: number; body: any; ms: number; retryAfter: string | null }; // any: drills read the body they expect
export type Sent = {
  as?: Person;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  key?: string;
};

/** A drill's own database and product processes. */
export type Sandbox = {
  folder: string;
  databaseUrl: string;
  db: Db;
  /** Queries the resulting state; the caller declares the row type. */
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs a statement in a transaction that stays open until `release`. */
  hold(text: string): Promise<{ release(): Promise<void> }>;
  /** Starts a process of the product; resolves when it is ready. */
  start(settings?: Record<string, string>, options?: { outputFile?: string }): Promise<SandboxNode>;
  makePerson(role?: string): Promise<Person>;
  /** Their addresses are `<id>@example.gov`. */
  makePeople(count: number, role?: string): Promise<Person[]>;
  /** Stops every process and removes the files. */
  close(): Promise<void>;
};

export type SandboxOptions = {
  /** Runs while the database is stopped, with its data directory, for example to move parts elsewhere. */
  arrange?(dataDirectory: string): Promise<void>;
};

export async function openSandbox({ arrange }: SandboxOptions = {}): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-faults-'));
  await chmod(folder, 0o755); // as root, PostgreSQL runs under another account, which must enter the folder
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const startDatabase = () => startEmbedded({ dataDir: join(folder, 'database'), log: () => {}, isSuperuser: true });
    let postgres = await startDatabase();
    closers.push(() => postgres.stop());
    await migrate(postgres.url);
    await prepareJobs(postgres.url, JOBS);
    if (arrange) {
      const [place] = await askDatabase<{ data_directory: string }>(postgres.url, 'show data_directory');
      await postgres.stop();
      await arrange(place!.data_directory); // one row
      postgres = await startDatabase();
    }
    const { db, close: closeDb } = openDatabase(postgres.url, { max: 4, onError: () => {} });
    closers.push(closeDb);
    // Without the product's statement timeout: queries over a hundred thousand rows may take longer.
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
    pool.on('error', () => {}); // the failed query rejects
    closers.push(() => pool.end());
    const rows: Sandbox['rows'] = async (text, values = []) => (await pool.query(text, values)).rows;

    const makePeople: Sandbox['makePeople'] = async (count, role = 'public-servant') => {
      const people = Array.from({ length: count }, () => ({ id: newId() }));
      await sql`
        insert into users (id, name, email, role, email_proven_at)
        select id, 'Person', id || '@example.gov', ${role}, now()
        from unnest(${people.map(({ id }) => id)}::uuid[]) as p (id)`.execute(db);
      return await Promise.all(
        people.map(async (person) => ({
          ...person,
          cookie: await openSession(db, { userId: person.id }),
        })),
      );
    };
    return {
      folder,
      databaseUrl: postgres.url,
      db,
      rows,
      async hold(text) {
        const client = await pool.connect();
        await client.query('begin');
        await client.query(text);
        return {
          async release() {
            await client.query('rollback');
            client.release();
          },
        };
      },
      async start(settings = {}, { outputFile } = {}) {
        const port = await freePort();
        const url = `http://127.0.0.1:${port}`;
        const running = await startProcess(join(ROOT, 'server/process/start.js'), {
          url,
          settings: {
            NODE_ENV: 'production',
            PORT: String(port),
            DATABASE_URL: postgres.url,
            DATA_DIR: join(folder, 'files'),
            DEMO_CONTENT: 'off',
            LOG_LEVEL: 'error',
            RATE_LIMITS: 'off',
            ...settings,
          },
          outputFile,
        });
        closers.push(() => running.stop('SIGKILL')); // its state is not needed
        return { ...running, url };
      },
      makePeople,
      makePerson: async (role) => (await makePeople(1, role))[0]!, // one person was created
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Requests a path of a node as a person. Status 0 means no response. */
export async function request(
  url: string,
  {
    as,
    method = 'GET',
    body,
    headers,
    withinMs = 60_000,
  }: {
    as?: Person;
    method?: string;
    body?: string | FormData;
    headers?: Record<string, string>;
    withinMs?: number;
  } = {},
): Promise<Answer> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...(as ? { cookie: `session=${as.cookie}`, 'sec-fetch-site': 'same-origin' } : {}), ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return {
      status: answer.status,
      body: isJson && text !== '' ? JSON.parse(text) : text,
      ms: performance.now() - startedAt,
      retryAfter: answer.headers.get('retry-after'),
    };
  } catch (error) {
    return { status: 0, body: String(error), ms: performance.now() - startedAt, retryAfter: null };
  }
}

/** Calls an operation of the contract. */
export async function ask(node: { url: string }, endpoint: Endpoint, { as, body, key, ...address }: Sent = {}) {
  return await request(`${node.url}${addressOf(endpoint, address)}`, {
    as,
    method: endpoint.method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
}

/** Calls an operation and throws unless it succeeds. */
export async function must(...call: Parameters<typeof ask>): Promise<any> {
  // any: callers know the operation's response
  const { status, body } = await ask(...call);
  if (status < 200 || status > 299) throw new Error(`${call[1].name}: ${status} ${JSON.stringify(body)}`);
  return body;
}
