import { afterAll } from 'vitest';
import { stopProduct } from './demo.ts';
import { closeVisits } from './visitor.ts';

// Runs before each test file. The browser stays open for the worker's next file.
afterAll(async () => {
  await closeVisits();
  await stopProduct();
});
