import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/db/client.ts';
import type { Replica } from '#server/db/replica.ts';
import { AppError } from '#server/errors.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { walk } from './walk.ts';
import { makeWorld } from './world.ts';

// A replica that is never behind: the same database, through connections that may only read.
const test = await createTestApp({}, { countsAnswers: false });
const world = await makeWorld(test);
const address = new URL(test.databaseUrl);
address.searchParams.set('options', '-c default_transaction_read_only=on');
const reader = openDatabase(address.toString(), { max: 5, onError: () => {} });

const failures: unknown[] = [];
let answered = 0;
const replica: Partial<Replica> = {
  reader,
  mayAnswer: () => Boolean((answered += 1)),
  noteFailure: (error) => void failures.push(error),
  position: async () => 0,
};
test.ctx.replica = replica as Replica; // what answering asks of it

/** As a browser asks that has written before. */
const marked: TestApp = {
  ...test,
  call: (endpoint, as, sent) =>
    test.call(endpoint, as, {
      ...sent,
      headers: { cookie: as?.token ? `session=${as.token}; written=0` : 'written=0', 'sec-fetch-site': 'same-origin' },
    }),
};

describe('what a replica may answer', () => {
  it('is answered without writing anything', { timeout: 240_000 }, async () => {
    for (const caller of ['anonymous', 'member'] as const)
      for (const { operation, status } of await walk(marked, world, caller))
        expect(status, operation).toBeLessThan(500);
    expect(answered).toBeGreaterThan(100);
    // Refusals are asked of the primary again; nothing else may be.
    expect(failures.filter((error) => !(error instanceof AppError))).toEqual([]);
    await reader.close();
  });
});
