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
import { buffersOf, descentOf, type PlanNode, readWhole, rowsSorted, type Statement } from './growth-plan.ts';

/** Gives the row of the first post of the feed a new version, as a like does. */
const CHANGE = `
  update activities set like_count = like_count where id = (
    select a.id from activities a join communities c on c.id = a.community_id
    where c.slug = 'c-1' and a.deleted_at is null order by a.hot desc, a.id desc limit 1)`;

const WARM = 6; // by then PostgreSQL has made up its mind about prepared statements
const ROUNDS = 7;
const PAUSE_MS = 25; // longer than the product believes an answer to strangers without asking the database

/** What a request costs: pages, the least `ms` of the CPU of the database, and the statements of its last round. */
export type Cost = {
  case: Case;
  statements: Statement[];
  buffers: number;
  descent: number;
  ms: number;
  sorted: number;
};

/** PostgreSQL tells the plan of every statement, as it was run. */
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
  const said = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode }; // auto_explain's own shape
  return { text: said['Query Text'], plan: said.Plan };
}

/** What backends have used of the CPU, in ms (Linux). */
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

/** Asks the product in this process for every case, and answers what its statements cost on this database. */
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
  let heard: Statement[] = [];
  const sent = new Set<string>();
  const backends = new Set<number>();
  open.ctx.pool.on('connect', (connection) => {
    backends.add((connection as unknown as { processID: number }).processID); // pg keeps it, its types do not say so
    const query = connection.query.bind(connection);
    connection.query = ((asked: string | pg.QueryConfig, ...rest: []) => {
      sent.add(typeof asked === 'string' ? asked : asked.text);
      return query(asked as string, ...rest);
    }) as typeof connection.query; // as it was, but for what it notes
    connection.on('notice', ({ message }) => {
      const statement = read(message ?? '');
      if (statement && sent.has(statement.text)) heard.push(statement); // not those of functions
    });
  });
  const app = await buildApp(open.ctx);
  try {
    const levels = await levelsOf(client);
    const signIn = async (email: string) => {
      const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email]);
      return `session=${await openSession(open.ctx.db, { userId: rows[0]!.id })}`; // the seed made them
    };
    const cookies = {
      reader: await signIn('person-2@example.gov'),
      administrator: await signIn('person-1@example.gov'),
      nobody: '',
    };
    const costs: Cost[] = [];
    for (const one of await casesOf(client)) {
      const rounds: Statement[][] = [];
      const cpu: number[] = [];
      for (let round = 0; round < WARM + ROUNDS; round++) {
        await setTimeout(PAUSE_MS);
        if (one.isAnew) await client.query(CHANGE);
        heard = [];
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
        rounds.push(heard.filter(({ text }) => !/\bsessions\b/.test(text)));
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
      const cost = costs.at(-1)!; // just added
      log(
        `${one.name}: ${cost.buffers} pages, ${cost.ms.toFixed(1)} ms, whole: ${statements.flatMap(({ plan }) => readWhole(plan)).join(' ')}`,
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
