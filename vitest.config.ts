import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { DRILLS } from './vitest.drills.ts';

/** Files that replace globals of their process. */
const WITH_OTHER_GLOBALS = [
  'server/areas/community/reading/feed.routes.test.ts',
  'server/areas/importing/folder-import.routes.test.ts',
  'server/limits/overload.test.ts',
  'web/app/ui/deletion.test.ts',
];

const common = {
  pool: 'forks',
  maxWorkers: availableParallelism(),
  testTimeout: 30_000,
  hookTimeout: 120_000,
} as const;

/** Runs before the browser tests, for which the pages are built and the demo is loaded meanwhile. */
const first = { ...common, sequence: { groupOrder: 0 } };

/**
 * Files of one process share its imports, which saves two seconds per file, and Node strips the types. Web tests need
 * Vite for JSX.
 */
const shared = { isolate: false, experimental: { viteModuleRunner: false } };

/** The suite of `npm test`. Drills are in vitest.deep.config.ts. */
export default defineConfig({
  test: {
    reporters: ['default', './server/test/durations.ts'],
    projects: [
      {
        test: {
          ...first,
          name: 'server',
          ...shared,
          globalSetup: ['server/test/cluster.ts'],
          include: ['contract/**/*.test.ts', 'i18n/**/*.test.ts', 'server/**/*.test.ts', 'faults/**/*.test.ts'],
          exclude: [...WITH_OTHER_GLOBALS, ...Object.keys(DRILLS)],
        },
      },
      {
        test: {
          ...first,
          name: 'web',
          isolate: false,
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: WITH_OTHER_GLOBALS,
        },
      },
      {
        test: {
          ...first,
          name: 'isolated',
          globalSetup: ['server/test/cluster.ts'],
          include: WITH_OTHER_GLOBALS,
        },
      },
      {
        test: {
          ...common,
          name: 'answers',
          include: ['server/test/answers.guard.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'e2e',
          ...shared,
          globalSetup: ['e2e/setup.ts'],
          setupFiles: ['e2e/each-file.ts'],
          include: ['e2e/**/*.spec.ts'],
          exclude: Object.keys(DRILLS),
          testTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
