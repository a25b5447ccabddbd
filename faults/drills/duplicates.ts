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
  does: 'Sends each operation that takes a key, as somebody who may, and once more with the same key, and compares the answers and every row that was written (server/test/authority/repeated.test.ts). Whatever the scale.',
  async run({ say }) {
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
      const report = JSON.parse(await readFile(file, 'utf8')) as Report; // as Vitest writes it
      const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
      const good = all.filter(({ status }) => status === 'passed');
      for (const { fullName, status, failureMessages } of all)
        if (status !== 'passed') say(`${fullName}: ${failureMessages[0]?.split('\n')[0]}`);
      return [
        share('requests of which the second changed nothing and got the first answer', good.length, all.length, 1),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
