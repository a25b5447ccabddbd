import { rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '@officium/contract/services';
import { format } from 'prettier';
import { z } from 'zod';
import { EXAMPLES_FOLDER, readExamples } from './examples.ts';

// `npm run gen:examples`: server/http/examples.json from what the tests of the routes send and are answered. Look at
// the difference before you commit it. With `-- --again` it is written from what the last run kept.

const OUT = fileURLToPath(new URL('../http/examples.json', import.meta.url));
/** Those of the routes, and others that are alone in asking for an operation. */
const TESTS = ['routes.test.ts', 'community-owner.test.ts', 'piece-delete.test.ts', 'notification.jobs.test.ts'];

type Example = { request?: unknown; replies?: Record<string, unknown> };

/** Whether they passed. */
function runTests(): boolean {
  rmSync(EXAMPLES_FOLDER, { recursive: true, force: true });
  const vitest = fileURLToPath(new URL('../../node_modules/.bin/vitest', import.meta.url));
  const projects = ['--project', 'server', '--project', 'isolated'];
  const env = { ...process.env, EXAMPLES: '1' };
  return spawnSync(process.execPath, [vitest, 'run', ...projects, ...TESTS], { env, stdio: 'inherit' }).status === 0;
}

/** Tests also send what nobody reads. */
function withoutUnread(request: unknown, read: unknown): unknown {
  if (Array.isArray(request) || typeof read !== 'object' || read === null) return request;
  return Object.fromEntries(Object.entries(request as object).filter(([key]) => key in read)); // read as an object
}

const havePassed = process.argv.includes('--again') || runTests();
const examples: Record<string, Example> = {};
const best = readExamples();
for (const { name, body, replies } of ENDPOINTS.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
  const own = best
    .filter(({ operation }) => operation === name)
    .filter(({ request, reply, status }) => {
      const isRequestFit = !body || z.safeParse(body, request).success;
      const schema = replies[status];
      return isRequestFit && (reply === undefined || (schema && z.safeParse(schema, reply).success));
    });
  const request = own.toSorted((a, b) => a.status - b.status).find((one) => one.request !== undefined)?.request;
  const answered = own.filter(({ reply }) => reply !== undefined).toSorted((a, b) => a.status - b.status);
  if (request === undefined && answered.length === 0) continue;
  examples[name] = {
    ...(request === undefined || !body ? {} : { request: withoutUnread(request, z.parse(body, request)) }),
    ...(answered.length === 0
      ? {}
      : { replies: Object.fromEntries(answered.map(({ status, reply }) => [status, reply])) }),
  };
}
writeFileSync(OUT, await format(JSON.stringify(examples), { parser: 'json', printWidth: 120 }));
if (!havePassed) process.exitCode = 1;
