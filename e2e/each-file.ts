import { afterAll, beforeAll } from 'vitest';
import { stopProduct } from './demo.ts';
import { readPrepared } from './prepared.ts';
import { closeVisits } from './visitor.ts';

// Runs before each test file. The browser stays open for the worker's next file.

// A hook, so that the wait is not part of the first test's time.
beforeAll(async () => void (await readPrepared()), 300_000);

afterAll(async () => {
  await closeVisits();
  await stopProduct();
});
