import { openGate, type Gate } from '../gate.ts';
import { ask, makeFixture, type Fixture, type FixtureSize } from '../fixture.ts';
import { startNginx } from './nginx.ts';
import { makeNode, type Node } from './node.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { makePostgres, makeStandby, type Postgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Workshop } from './workshop.ts';

/** The product on several processes with its surroundings, as an operator sets it up. */
export type Installation = {
  primary: Postgres;
  /** Synchronous standby of the primary. */
  standby: Postgres | undefined;
  /** The proxy between all processes and the primary. */
  gate: Gate;
  /** Leads directly to the primary, not through the gate or PgBouncer. */
  databaseUrl: string;
  webs: Node[];
  workers: Node[];
  /** The public address: nginx, or the first process. */
  url: string;
  fixture: Fixture;
};

export type Wanted = {
  webs?: number;
  workers?: number;
  hasStandby?: boolean;
  /** Adds PgBouncer, Redis and reads on the standby. */
  isFull?: boolean;
  hasNginx?: boolean;
  isTls?: boolean;
  size?: FixtureSize;
  settings?: Record<string, string>;
  /** The folder of the release all processes run; by default this checkout. */
  release?: string;
  /** Environment of the primary's processes. */
  databaseEnv?: Record<string, string>;
};

/** Database settings without which acknowledged writes may be lost. */
export const SAFE_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  data_checksums: 'on',
} as const;

/** The settings of a running server that differ from the safe ones. */
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
 * Kills the primary (kill -9), promotes the standby and redirects the gate to it, as Patroni or a virtual IP does.
 * Returns the time of the kill, by `performance.now()`.
 */
export async function promoteStandby(installation: Installation): Promise<number> {
  const { primary, standby, gate } = installation;
  if (!standby) throw new Error('the installation has no standby');
  const killedMs = performance.now();
  await primary.stop('kill');
  await ask(standby.url, 'select pg_promote()');
  gate.redirectTo(standby.port);
  Object.assign(installation, { primary: standby, databaseUrl: standby.url, standby: undefined });
  return killedMs;
}

/** Sets up and starts an installation; by default two web processes and one worker. */
export async function setUp(workshop: Workshop, wanted: Wanted = {}): Promise<Installation> {
  const { webs = 2, workers = 1, hasStandby = false, isFull = false, hasNginx = false, isTls = false } = wanted;
  const primary = await makePostgres(workshop, { name: 'primary', env: wanted.databaseEnv });
  const unsafe = await unsafeSettings(primary.url);
  if (unsafe.length > 0) throw new Error(`the database may lose acknowledged writes: ${unsafe.join(', ')}`);
  const standby =
    hasStandby || isFull ? await makeStandby(workshop, primary, { name: 'standby', isSynchronous: true }) : undefined;
  const gate = await openGate(primary.port);
  workshop.atEnd(() => gate.close());
  const direct = primary.url.replace(`:${primary.port}/`, `:${gate.port}/`);
  const settings: Record<string, string> = { DATABASE_URL: direct, ...wanted.settings };
  if (isFull) {
    settings['DATABASE_URL'] = (await startPgBouncer(workshop, { target: gate.port })).url;
    settings['DATABASE_DIRECT_URL'] = direct;
    settings['DATABASE_REPLICA_URL'] = standby!.url; // created above when isFull
    settings['REDIS_URL'] = (await startRedis(workshop)).url;
  }
  const node = async (role: 'web' | 'worker', at: number) =>
    await makeNode(workshop, { name: `${role}-${at}`, role, settings });
  const made = { webs: [] as Node[], workers: [] as Node[] };
  for (let at = 1; at <= webs; at++) made.webs.push(await node('web', at));
  for (let at = 1; at <= workers; at++) made.workers.push(await node('worker', at));
  let url = made.webs[0]?.url ?? '';
  if (hasNginx) {
    url = (await startNginx(workshop, { ports: made.webs.map(({ port }) => port), isTls })).url;
    // The public address, from which browsers must come.
    settings['PUBLIC_URL'] = url;
  }
  const [first, ...others] = [...made.webs, ...made.workers];
  await first?.start(wanted.release);
  await Promise.all(others.map((one) => one.start(wanted.release)));
  const fixture = await makeFixture(primary.url, wanted.size ? { size: wanted.size } : {});
  return { primary, standby, gate, databaseUrl: primary.url, ...made, url, fixture };
}
