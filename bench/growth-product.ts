import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { openSession } from '../server/access/sessions.ts';
import { buildApp } from '../server/app/app.ts';
import { readConfig } from '../server/config.ts';
import { openCtx } from '../server/app/open.ts';
import { type Case, casesOf } from './growth-cases.ts';
import { buffersOf, descentOf, type PlanNode, fullScans, rowsSorted, type Statement } from './growth-plan.ts';

/** Updates the row version of the feed's first post, as a like does. */
const CHANGE = `
  update activities set like_count = like_count where id = (
    select a.id from activities a join communities c on c.id = a.community_id
    where c.slug = 'c-1' and a.deleted_at is null order by a.hot desc, a.id desc limit 1)`;

const WARM = 6; // by then PostgreSQL has chosen generic or custom plans for prepared statements
const ROUNDS = 7;
const PAUSE_MS = 25; // longer than anonymous responses are cached without a version check

/** The cost of a request: pages, the lowest database CPU in ms, and the statements of its last round. */
export type Cost = {
  case: Case;
  statements: Statement[];
  buffers: number;
  descent: number;
  ms: number;
  sorted: number;
};

/** PostgreSQL logs the plan of every executed statement. */
const EXPLAINED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;
const total = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);

function read(message: string): Statement | undefined {
  const [, json] = /^duration: [\d.]+ ms {2}plan:\n([^]*)$/.exec(message) ?? [];
  if (!json) return undefined;
  const said = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode }; // format of auto_explain
  return { text: said['Query Text'], plan: said.Plan };
}

/** CPU time of backends, in ms (Linux). */
const cpuOf = (pids: ReadonlySet<number>) =>
  total(
    [...pids]
      .map((pid) => `/proc/${pid}/schedstat`)
      .filter((file) => existsSync(file))
      .map((file) => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6),
  );

/** The levels of each B-tree index above its leaves. */
async function levelsOf(client: pg.ClientBase): Promise<Map<string, number>> {
  await client.query('create extension if not exists pageinspect');
  const { rows } = await client.query<{ name: string; level: number }>(`
    select c.relname as name, (bt_metap(c.oid::regclass::text)).level::int as level
    from pg_class c join pg_am a on a.oid = c.relam
    where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, level }) => [name, level]));
}

/** Sends every case to the product in this process and returns what its statements cost on this database. */
export async function measureProduct(databaseUrl: string, log: (line: string) => void): Promise<Cost[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const folder = await mkdtemp(join(tmpdir(), 'officium-growth-'));
  const explained = new URL(databaseUrl);
  explained.searchParams.set(
    'options',
    Object.entries(EXPLAINED)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  );
  const config = readConfig({
    NODE_ENV: 'production',
    ROLE: 'web',
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    RATE_LIMITS: 'off',
  });
  const open = await openCtx(config, explained.toString(), pino({ level: 'fatal' }));
  let received: Statement[] = [];
  const sent = new Set<string>();
  const backends = new Set<number>();
  open.ctx.pool.on('connect', (connection) => {
    backends.add((connection as unknown as { processID: number }).processID); // pg sets it; its types do not declare it
    const query = connection.query.bind(connection);
    connection.query = ((asked: string | pg.QueryConfig, ...rest: []) => {
      sent.add(typeof asked === 'string' ? asked : asked.text);
      return query(asked as string, ...rest);
    }) as typeof connection.query; // same signature; it only records the text
    connection.on('notice', ({ message }) => {
      const statement = read(message ?? '');
      if (statement && sent.has(statement.text)) received.push(statement); // skips statements inside functions
    });
  });
  const app = await buildApp(open.ctx);
  try {
    const levels = await levelsOf(client);
    const signIn = async (email: string) => {
      const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email]);
      return `session=${await openSession(open.ctx.db, { userId: rows[0]!.id })}`; // created by the seed
    };
    const cookies = {
      viewer: await signIn('person-2@example.gov'),
      administrator: await signIn('person-1@example.gov'),
      anonymous: '',
    };
    const costs: Cost[] = [];
    for (const one of await casesOf(client)) {
      const rounds: Statement[][] = [];
      const cpu: number[] = [];
      for (let round = 0; round < WARM + ROUNDS; round++) {
        await setTimeout(PAUSE_MS);
        if (one.isAfterChange) await client.query(CHANGE);
        received = [];
        const before = new Set(backends);
        const used = cpuOf(before);
        const answer = await app.inject({
          method: one.body ? 'POST' : 'GET',
          url: one.url,
          headers: { cookie: cookies[one.as], 'sec-fetch-site': 'same-origin' },
          ...(one.body && { payload: one.body }),
        });
        if (answer.statusCode !== 200)
          throw new Error(`${one.name}: ${answer.statusCode} ${answer.body.slice(0, 300)}`);
        if (round < WARM) continue;
        rounds.push(received.filter(({ text }) => !/\bsessions\b/.test(text)));
        cpu.push(cpuOf(before) - used);
      }
      const statements = rounds.at(-1) ?? [];
      costs.push({
        case: one,
        statements,
        buffers: median(rounds.map((round) => total(round.map(({ plan }) => buffersOf(plan))))),
        descent: total(statements.map(({ plan }) => descentOf(plan, levels))),
        ms: Math.min(...cpu),
        sorted: total(statements.map(({ plan }) => rowsSorted(plan))),
      });
      const cost = costs.at(-1)!; // pushed above
      log(
        `${one.name}: ${cost.buffers} pages, ${cost.ms.toFixed(1)} ms, full scans: ${statements.flatMap(({ plan }) => fullScans(plan)).join(' ')}`,
      );
    }
    return costs;
  } finally {
    await app.close();
    await open.close();
    await client.end();
    await rm(folder, { recursive: true, force: true });
  }
}
