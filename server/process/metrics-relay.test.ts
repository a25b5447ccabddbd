import type { Worker } from 'node:cluster';
import { describe, expect, it } from 'vitest';
import type { ToWorker, ToSupervisor } from './messages.ts';
import { openMetricsRelay, relayMetrics, type MetricsRelay } from './metrics-relay.ts';

/** Workers and their supervisor in one process; messages are copied through JSON, as between processes. */
function createRelays(measures: (() => Promise<unknown>)[]): MetricsRelay[] {
  const workers = new Set<Worker>();
  const relay = relayMetrics(workers);
  return measures.map((measure) => {
    const copy = <T>(message: T) => JSON.parse(JSON.stringify(message)) as T;
    const worker = {
      isConnected: () => true,
      send: (message: ToWorker) => queueMicrotask(() => metrics.receive(copy(message) as never)), // the test sends only measurement messages
    } as unknown as Worker; // the relay uses only these fields
    const metrics = openMetricsRelay((message: ToSupervisor) => relay(worker, copy(message) as never), measure); // the test sends only measurement messages
    workers.add(worker);
    return metrics;
  });
}

describe('the measurements of all processes', () => {
  it("contain each process's own, without one that is not serving yet or fails", async () => {
    const relays = createRelays([
      async () => ['one'],
      async () => undefined,
      async () => {
        throw new Error('broken');
      },
      async () => ['four'],
    ]);
    expect(await relays[3]!.all()).toEqual([['one'], ['four']]);
    const [first, second] = await Promise.all([relays[0]!.all(), relays[0]!.all()]);
    expect([first, second]).toEqual([
      [['one'], ['four']],
      [['one'], ['four']],
    ]);
  });
});
