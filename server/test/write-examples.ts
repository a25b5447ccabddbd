import { rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '@officium/contract/services';
import { format } from 'prettier';
import { z } from 'zod';
import { EXAMPLES_FOLDER, readExamples } from './examples.ts';

// `npm run gen:examples`: writes server/http/examples.json from the requests and responses of route tests. Review the
// difference before committing. `-- --again` reuses the recordings of the last run.

const OUT = fileURLToPath(new URL('../http/examples.json', import.meta.url));
/** Route tests, and other files that are the only ones to cover an operation. */
const TESTS = ['routes.test.ts', 'community-owner.test.ts', 'piece-delete.test.ts', 'notification.jobs.test.ts'];

type Example = { request?: unknown; replies?: Record<string, unknown> };

/** Returns whether the tests passed. */
function runTests(): boolean {
  rmSync(EXAMPLES_FOLDER, { recursive: true, force: true });
  const vitest = fileURLToPath(new URL('../../node_modules/.bin/vitest', import.meta.url));
  const projects = ['--project', 'server', '--project', 'isolated'];
  const env = { ...process.env, EXAMPLES: '1' };
  return spawnSync(process.execPath, [vitest, 'run', ...projects, ...TESTS], { env, stdio: 'inherit' }).status === 0;
}

/** Removes fields that the contract does not read. */
function withoutUnread(request: unknown, read: unknown): unknown {
  if (Array.isArray(request) || typeof read !== 'object' || read === null) return request;
  return Object.fromEntries(Object.entries(request as object).filter(([key]) => key in read)); // parsed as an object
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
