import { afterAll } from 'vitest';
import { stopTheProduct } from './demo.ts';
import { closeVisits } from './visitor.ts';

// Runs before each test file. The browser stays for the next file of the same worker.
afterAll(async () => {
  await closeVisits();
  await stopTheProduct();
});
