import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../server/test/process.ts';
import type { Drill } from '../drill.ts';
import { share } from '../measures.ts';

type Report = {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
};

export const drill: Drill = {
  name: 'duplicates',
  description:
    'Sends each operation that takes an idempotency key as a permitted viewer, repeats it with the same key, and compares the answers and every written row (server/test/authority/repeated.test.ts). Ignores the scale.',
  async run({ print }) {
    const folder = await mkdtemp(join(tmpdir(), 'officium-faults-'));
    try {
      const file = join(folder, 'report.json');
      const asked = ['run', '--project', 'server', 'server/test/authority/repeated.test.ts'];
      const tests = spawn(
        process.execPath,
        [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...asked, '--reporter', 'json', '--outputFile', file],
        { cwd: ROOT, stdio: 'ignore' },
      );
      await once(tests, 'exit');
      const report = JSON.parse(await readFile(file, 'utf8')) as Report; // format of Vitest's JSON reporter
      const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
      const good = all.filter(({ status }) => status === 'passed');
      for (const { fullName, status, failureMessages } of all)
        if (status !== 'passed') print(`${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
      return [share('repeated requests that changed nothing and got the first answer', good.length, all.length, 1)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
