import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { DRILLS, MORE_REQUESTS, MORE_RULES } from './vitest.drills.ts';

const common = { pool: 'forks' as const, maxWorkers: availableParallelism(), hookTimeout: 240_000 };
const onServer = { ...common, globalSetup: ['e2e/built.ts', 'server/test/cluster.ts'], testTimeout: 30_000 };
const inBrowser = {
  ...common,
  isolate: false,
  globalSetup: ['e2e/built.ts', 'e2e/setup.ts'],
  setupFiles: ['e2e/each-file.ts'],
  testTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
};
const isSpec = (file: string) => file.endsWith('.spec.ts');
const drills = Object.keys(DRILLS);

/** The suite of `npm run test:deep`: drills, and full runs of tests that `npm test` only samples. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...onServer,
          name: 'drills',
          include: drills.filter((file) => !isSpec(file)),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...onServer,
          name: 'fuzz-300',
          env: { FUZZ_RUNS: process.env['FUZZ_RUNS'] ?? '300' },
          include: Object.keys(MORE_REQUESTS),
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...inBrowser, name: 'e2e-drills', include: drills.filter(isSpec), sequence: { groupOrder: 2 } } },
      {
        test: {
          ...inBrowser,
          name: 'all-rules',
          env: { SCREEN_RULES: 'all' },
          include: Object.keys(MORE_RULES),
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
