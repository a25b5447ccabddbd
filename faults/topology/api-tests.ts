import { globSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../../server/test/process.ts';
import type { Installed } from '../../server/test/through.ts';
import { startChild } from './child.ts';
import { startNginx } from './nginx.ts';
import { COMMON_SETTINGS, makeNode } from './node.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { setSetting, type Postgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { withWorkshop, type Workshop } from './workshop.ts';

/** Those that put something else in the place of a part of the process they run in, which no other process has. */
const WITHIN_ONE_PROCESS = [
  'server/areas/ai/model-answer.routes.test.ts',
  'server/areas/community/posts/payload-translation.routes.test.ts',
  'server/areas/translations/article-translation.routes.test.ts',
  'server/areas/translations/translation.routes.test.ts',
];

/** The tests of the API: what each operation answers, and to whom. */
export const API_TESTS = globSync(['server/areas/**/*.routes.test.ts', 'server/test/authority/*.test.ts'], {
  cwd: ROOT,
  exclude: WITHIN_ONE_PROCESS,
});

type Databases = { primary: Postgres; standby: Postgres; say: (line: string) => void };

/**
 * Runs these files of tests. Each file has a database of its own on `primary`, which `standby` follows; its
 * requests go through nginx to two web processes with PgBouncer in transaction mode, Redis, and the standby to read from.
 */
export async function runApiTests(
  shop: Workshop,
  files: readonly string[],
  databases: Databases,
): Promise<{ passed: number; failed: number }> {
  const { primary, say } = databases;
  // Tests write into the database past the product, which then cannot know what the standby still lacks.
  await setSetting(primary, 'synchronous_commit', 'remote_apply');
  const installer = await openInstaller(databases);
  const [report, log] = [join(shop.folder, 'api-tests.json'), join(shop.folder, 'api-tests.log')];
  try {
    const args = [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project',
      'server',
      '--project',
      'isolated',
      ...files,
    ];
    args.push('--maxWorkers=1', '--reporter=json', `--outputFile=${report}`);
    const env = { DATABASE_URL: primary.url, TEST_INSTALLER: installer.url };
    await startChild(process.execPath, args, { log, env, cwd: ROOT }).ended;
    const outcomes = readReport(await readFile(report, 'utf8'));
    if (outcomes.length === 0) throw new Error(`No test ran: ${(await readFile(log, 'utf8')).slice(-2000)}`);
    const failed = outcomes.filter(({ status }) => status === 'failed');
    for (const { name, why } of failed) say(`${name}: ${why.slice(0, 600)}`);
    return { passed: outcomes.filter(({ status }) => status === 'passed').length, failed: failed.length };
  } finally {
    await installer.close();
    await setSetting(primary, 'synchronous_commit', 'on');
  }
}

/** As vitest writes it. */
type Report = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** How each test ended; a file that broke before its first test counts as one that failed. */
function readReport(json: string): { status: string; name: string; why: string }[] {
  const { testResults } = JSON.parse(json) as Report;
  return testResults.flatMap(({ name, assertionResults, status, message }) => {
    const file = name.replace(ROOT, '');
    if (assertionResults.length === 0 && status === 'failed') return [{ status, name: file, why: message }];
    return assertionResults.map((one) => ({
      status: one.status,
      name: `${file}: ${one.fullName}`,
      why: one.failureMessages.join('\n'),
    }));
  });
}

/** Sets the product up for who asks: `PUT /<database>` with settings answers an Installed; `DELETE` ends it. */
async function openInstaller(databases: Databases): Promise<{ url: string; close(): Promise<void> }> {
  const installed = new Map<string, { end: () => void; ended: Promise<unknown> }>();
  const end = async (database: string) => {
    const one = installed.get(database);
    installed.delete(database);
    one?.end();
    await one?.ended;
  };
  const answer = async (request: IncomingMessage) => {
    const database = request.url?.slice(1) ?? '';
    if (request.method === 'DELETE') return await end(database);
    const settings = JSON.parse(await text(request)) as Record<string, string>;
    return await new Promise<Installed>((ready, failed) => {
      const { promise: isOver, resolve } = Promise.withResolvers<void>();
      const ended = withWorkshop(async (shop) => {
        ready(await installFor(shop, database, { ...databases, settings }));
        await isOver;
      }).catch(failed);
      installed.set(database, { end: resolve, ended });
    });
  };
  const server = createServer((request, reply) => {
    answer(request).then(
      (said) => reply.end(JSON.stringify(said ?? null)),
      (error: unknown) => reply.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      await Promise.all([...installed.keys()].map(end));
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function installFor(
  shop: Workshop,
  database: string,
  { primary, standby, settings, say }: Databases & { settings: Record<string, string> },
): Promise<Installed> {
  const at = (server: Postgres) => server.url.replace(/\/[^/]*$/, `/${database}`);
  const redis = await startRedis(shop);
  const shared = { SECRET_KEY: COMMON_SETTINGS.SECRET_KEY, REDIS_URL: redis.url };
  const ofWeb = {
    ...settings,
    ...shared,
    NODE_ENV: 'production',
    DATABASE_URL: (await startPgBouncer(shop, { target: primary.port, database })).url,
    DATABASE_DIRECT_URL: at(primary),
    DATABASE_REPLICA_URL: at(standby),
    TRUST_PROXY: 'loopback',
  };
  const webs = await Promise.all(
    ['web-1', 'web-2'].map(async (name) => await makeNode(shop, { name, role: 'web', settings: ofWeb })),
  );
  await Promise.all(webs.map((web) => web.start()));
  shop.atEnd(async () => {
    for (const web of webs) if (web.exits() > 0) say(`${web.name} ended by itself: ${(await web.said()).slice(-2000)}`);
  });
  const { url } = await startNginx(shop, { ports: webs.map(({ port }) => port) });
  return { url, settings: shared };
}
