import type { Worker } from 'node:cluster';
import { describe, expect, it } from 'vitest';
import type { ToMember, ToSupervisor } from './family.ts';
import { askMeasures, relayMeasures, type Measures } from './measures.ts';

/** Members and their supervisor in one process; messages go as JSON, as they do between processes. */
function family(measures: (() => Promise<unknown>)[]): Measures[] {
  const workers = new Set<Worker>();
  const relay = relayMeasures(workers);
  return measures.map((measure) => {
    const copy = <T>(message: T) => JSON.parse(JSON.stringify(message)) as T;
    const worker = {
      isConnected: () => true,
      send: (message: ToMember) => queueMicrotask(() => member.hear(copy(message) as never)), // only measures are told here
    } as unknown as Worker; // what the relay uses of one
    const member = askMeasures((message: ToSupervisor) => relay(worker, copy(message) as never), measure); // the same
    workers.add(worker);
    return member;
  });
}

describe('what all measured', () => {
  it('is what each did, without one that has not begun or cannot tell', async () => {
    const members = family([
      async () => ['one'],
      async () => undefined,
      async () => {
        throw new Error('broken');
      },
      async () => ['four'],
    ]);
    expect(await members[3]!.all()).toEqual([['one'], ['four']]);
    const [first, second] = await Promise.all([members[0]!.all(), members[0]!.all()]);
    expect([first, second]).toEqual([
      [['one'], ['four']],
      [['one'], ['four']],
    ]);
  });
});
