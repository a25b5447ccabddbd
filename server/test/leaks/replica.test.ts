import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/db/client.ts';
import type { Replica } from '#server/db/replica.ts';
import { AppError } from '#server/errors.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { walk } from './walk.ts';
import { makeFixture } from './fixture.ts';

// A replica without lag: the same database over read-only connections.
const test = await createTestApp({}, { countsAnswers: false });
const fixture = await makeFixture(test);
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
test.ctx.replica = replica as Replica; // the methods that answering uses

/** Requests of a browser that has written before. */
const marked: TestApp = {
  ...test,
  call: (endpoint, as, sent) =>
    test.call(endpoint, as, {
      ...sent,
      headers: { cookie: as?.token ? `session=${as.token}; written=0` : 'written=0', 'sec-fetch-site': 'same-origin' },
    }),
};

describe('requests that a replica may answer', () => {
  it('write nothing', { timeout: 240_000 }, async () => {
    for (const caller of ['anonymous', 'member'] as const)
      for (const { operation, status } of await walk(marked, fixture, caller))
        expect(status, operation).toBeLessThan(500);
    expect(answered).toBeGreaterThan(100);
    // Refusals are retried on the primary; no other failure may occur.
    expect(failures.filter((error) => !(error instanceof AppError))).toEqual([]);
    await reader.close();
  });
});
