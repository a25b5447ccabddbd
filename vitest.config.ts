import { defineConfig } from 'vitest/config';

// The machine at hand has two cores; more workers only wait for each other.
const pool = { pool: 'forks', maxWorkers: 2 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...pool,
          name: 'server',
          globalSetup: ['server/test/cluster.ts'],
          include: [
            'contract/**/*.test.ts',
            'i18n/**/*.test.ts',
            'server/**/*.test.ts',
            'faults/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...pool,
          name: 'answers',
          include: ['server/test/answers.guard.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...pool,
          name: 'e2e',
          globalSetup: ['e2e/setup.ts'],
          include: ['e2e/**/*.spec.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 240_000,
          // A browser on a busy machine may lose a race that no person would; what fails twice is a fault. The report
          // marks what needed its second try.
          retry: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
