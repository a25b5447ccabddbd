import { openGate, type Gate } from '../gate.ts';
import { ask, makeWorld, type World, type WorldSize } from '../world.ts';
import { startNginx } from './nginx.ts';
import { makeNode, type Node } from './node.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { makePostgres, makeStandby, type Postgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Workshop } from './workshop.ts';

/** The product on several processes, as an operator sets it up, and what stands around it. */
export type Installation = {
  primary: Postgres;
  /** Follows the primary; every commit waits for it. */
  standby: Postgres | undefined;
  /** The way to the primary, for all processes. */
  gate: Gate;
  /** Of the primary, past everything between. */
  databaseUrl: string;
  webs: Node[];
  workers: Node[];
  /** Where people reach it: nginx, or the first process. */
  url: string;
  world: World;
};

export type Wanted = {
  webs?: number;
  workers?: number;
  hasStandby?: boolean;
  /** PgBouncer, Redis and reading from the standby too. */
  isFull?: boolean;
  hasNginx?: boolean;
  isTls?: boolean;
  size?: WorldSize;
  settings?: Record<string, string>;
  /** The folder of the release all processes run; this checkout unless told. */
  release?: string;
  /** Of the processes of the primary. */
  databaseEnv?: Record<string, string>;
};

/** The settings a database must have for what is acknowledged to be kept. */
export const SAFE_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  data_checksums: 'on',
} as const;

/** Those settings of a running server that are not what they must be. */
export async function unsafeSettings(url: string): Promise<string[]> {
  const rows = await ask<{ name: string; setting: string }>(
    url,
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(SAFE_SETTINGS)],
  );
  return Object.entries(SAFE_SETTINGS).flatMap(([name, wanted]) => {
    const is = rows.find((row) => row.name === name)?.setting;
    return is === wanted ? [] : [`${name} is ${is}`];
  });
}

/**
 * Kills the primary (kill -9), promotes the standby, and leads the address the processes know to it, as Patroni or a
 * virtual address does. Answers the moment of the kill, by `performance.now()`.
 */
export async function promoteStandby(installation: Installation): Promise<number> {
  const { primary, standby, gate } = installation;
  if (!standby) throw new Error('There is no standby.');
  const killedMs = performance.now();
  await primary.stop('kill');
  await ask(standby.url, 'select pg_promote()');
  gate.leadTo(standby.port);
  Object.assign(installation, { primary: standby, databaseUrl: standby.url, standby: undefined });
  return killedMs;
}

/** Sets it all up and starts it. Two web processes and one worker, nothing else, unless told. */
export async function setUp(shop: Workshop, wanted: Wanted = {}): Promise<Installation> {
  const { webs = 2, workers = 1, hasStandby = false, isFull = false, hasNginx = false, isTls = false } = wanted;
  const primary = await makePostgres(shop, { name: 'primary', env: wanted.databaseEnv });
  const unsafe = await unsafeSettings(primary.url);
  if (unsafe.length > 0) throw new Error(`The database may lose what it acknowledged: ${unsafe.join(', ')}`);
  const standby =
    hasStandby || isFull ? await makeStandby(shop, primary, { name: 'standby', isSynchronous: true }) : undefined;
  const gate = await openGate(primary.port);
  shop.atEnd(() => gate.close());
  const direct = primary.url.replace(`:${primary.port}/`, `:${gate.port}/`);
  const settings: Record<string, string> = { DATABASE_URL: direct, ...wanted.settings };
  if (isFull) {
    settings['DATABASE_URL'] = (await startPgBouncer(shop, { target: gate.port })).url;
    settings['DATABASE_DIRECT_URL'] = direct;
    settings['DATABASE_REPLICA_URL'] = standby!.url; // made above when isFull
    settings['REDIS_URL'] = (await startRedis(shop)).url;
  }
  const node = async (role: 'web' | 'worker', at: number) =>
    await makeNode(shop, { name: `${role}-${at}`, role, settings });
  const made = { webs: [] as Node[], workers: [] as Node[] };
  for (let at = 1; at <= webs; at++) made.webs.push(await node('web', at));
  for (let at = 1; at <= workers; at++) made.workers.push(await node('worker', at));
  let url = made.webs[0]?.url ?? '';
  if (hasNginx) {
    url = (await startNginx(shop, { ports: made.webs.map(({ port }) => port), isTls })).url;
    // What people see; the pages of a browser are refused from anywhere else.
    settings['PUBLIC_URL'] = url;
  }
  const [first, ...others] = [...made.webs, ...made.workers];
  await first?.start(wanted.release);
  await Promise.all(others.map((one) => one.start(wanted.release)));
  const world = await makeWorld(primary.url, wanted.size ? { size: wanted.size } : {});
  return { primary, standby, gate, databaseUrl: primary.url, ...made, url, world };
}
