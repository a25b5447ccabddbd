import { globSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT, portOf } from '../../server/test/process.ts';
import type { Installed } from '../../server/test/through.ts';
import { startChild } from './child.ts';
import { startNginx } from './nginx.ts';
import { COMMON_SETTINGS, makeNode } from './node.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { setSetting, type Postgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { withWorkshop, type Workshop } from './workshop.ts';

/** Tests that replace a part of their own process, which other processes do not see. */
const WITHIN_ONE_PROCESS = [
  'server/areas/ai/model-answer.routes.test.ts',
  'server/areas/community/posts/payload-translation.routes.test.ts',
  'server/areas/translations/article-translation.routes.test.ts',
  'server/areas/translations/translation.routes.test.ts',
];

/** The API tests: the responses of each operation for each kind of viewer. */
export const API_TESTS = globSync(['server/areas/**/*.routes.test.ts', 'server/test/authority/*.test.ts'], {
  cwd: ROOT,
  exclude: WITHIN_ONE_PROCESS,
});

type Databases = { primary: Postgres; standby: Postgres; print: (line: string) => void };

/**
 * Runs these test files. Each file has its own database on `primary`, which `standby` follows. Requests go through
 * nginx to two web processes with PgBouncer in transaction mode, Redis, and reads on the standby.
 */
export async function runApiTests(
  workshop: Workshop,
  files: readonly string[],
  databases: Databases,
): Promise<{ passed: number; failed: number }> {
  const { primary, print } = databases;
  // Tests write to the database directly, so the product cannot know which writes the standby still lacks.
  await setSetting(primary, 'synchronous_commit', 'remote_apply');
  const installer = await openInstaller(databases);
  const [report, log] = [join(workshop.folder, 'api-tests.json'), join(workshop.folder, 'api-tests.log')];
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
    if (outcomes.length === 0) throw new Error(`no test ran: ${(await readFile(log, 'utf8')).slice(-2000)}`);
    const failed = outcomes.filter(({ status }) => status === 'failed');
    for (const { name, reason } of failed) print(`${name}: ${reason.slice(0, 600)}`);
    return { passed: outcomes.filter(({ status }) => status === 'passed').length, failed: failed.length };
  } finally {
    await installer.close();
    await setSetting(primary, 'synchronous_commit', 'on');
  }
}

/** The format of Vitest's JSON reporter. */
type Report = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** The outcome of each test. A file that failed before its first test counts as one failure. */
function readReport(json: string): { status: string; name: string; reason: string }[] {
  const { testResults } = JSON.parse(json) as Report;
  return testResults.flatMap(({ name, assertionResults, status, message }) => {
    const file = name.replace(ROOT, '');
    if (assertionResults.length === 0 && status === 'failed') return [{ status, name: file, reason: message }];
    return assertionResults.map((one) => ({
      status: one.status,
      name: `${file}: ${one.fullName}`,
      reason: one.failureMessages.join('\n'),
    }));
  });
}

/** Installs the product on request: `PUT /<database>` with settings returns an `Installed`; `DELETE` stops it. */
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
      const ended = withWorkshop(async (workshop) => {
        ready(await installFor(workshop, database, { ...databases, settings }));
        await isOver;
      }).catch(failed);
      installed.set(database, { end: resolve, ended });
    });
  };
  const server = createServer((request, reply) => {
    answer(request).then(
      (output) => reply.end(JSON.stringify(output ?? null)),
      (error: unknown) => reply.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      await Promise.all([...installed.keys()].map(end));
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function installFor(
  workshop: Workshop,
  database: string,
  { primary, standby, settings, print }: Databases & { settings: Record<string, string> },
): Promise<Installed> {
  const at = (server: Postgres) => server.url.replace(/\/[^/]*$/, `/${database}`);
  const redis = await startRedis(workshop);
  const shared = { SECRET_KEY: COMMON_SETTINGS.SECRET_KEY, REDIS_URL: redis.url };
  const ofWeb = {
    ...settings,
    ...shared,
    NODE_ENV: 'production',
    DATABASE_URL: (await startPgBouncer(workshop, { target: primary.port, database })).url,
    DATABASE_DIRECT_URL: at(primary),
    DATABASE_REPLICA_URL: at(standby),
    TRUST_PROXY: 'loopback',
  };
  const webs = await Promise.all(
    ['web-1', 'web-2'].map(async (name) => await makeNode(workshop, { name, role: 'web', settings: ofWeb })),
  );
  await Promise.all(webs.map((web) => web.start()));
  workshop.atEnd(async () => {
    for (const web of webs)
      if (web.exits() > 0) print(`${web.name} exited unexpectedly: ${(await web.output()).slice(-2000)}`);
  });
  const { url } = await startNginx(workshop, { ports: webs.map(({ port }) => port) });
  return { url, settings: shared };
}
