import { describe, expect, it } from 'vitest';
import { coalesced, type Reader } from './coalesce.ts';

/** A pool outside transactions; its parts are only compared. */
const readerOf = (pool: object) => ({ db: { isTransaction: false }, pool }) as unknown as Reader;
const database = {};

/** Recorded calls, each answered when the test decides. */
function asking() {
  const asked: { ids: string[]; answer: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const ask = coalesced<{ key: string }, string>(
    (_database, _about, ids) => new Promise((answer, fail) => asked.push({ ids, answer, fail })),
  );
  return { asked, ask: (id: string, key = 'a', of = database) => ask(readerOf(of), { key }, id) };
}
const settled = () => new Promise((later) => setImmediate(later));

describe('coalesced', () => {
  it('asks at once, and once more for all callers that arrived meanwhile', async () => {
    const { asked, ask } = asking();
    const answers = ['one', 'two', 'three', 'two'].map((id) => ask(id));
    expect(asked.map(({ ids }) => ids)).toEqual([['one']]);
    asked[0]?.answer('first');
    await settled();
    expect(asked.map(({ ids }) => ids)).toEqual([['one'], ['two', 'three']]);
    const late = ask('four');
    asked[1]?.answer('second');
    await settled();
    asked[2]?.answer('third');
    expect(await Promise.all([...answers, late])).toEqual(['first', 'second', 'second', 'second', 'third']);
    const alone = ask('five');
    expect(asked[3]?.ids).toEqual(['five']);
    asked[3]?.answer('fourth');
    expect(await alone).toBe('fourth');
  });

  it('asks about different keys and databases concurrently', () => {
    const { asked, ask } = asking();
    void ask('one');
    void ask('one', 'b');
    void ask('one', 'a', {});
    expect(asked).toHaveLength(3);
  });

  it('rejects all callers of a failed round, and continues', async () => {
    const { asked, ask } = asking();
    const answers = Promise.allSettled([ask('one'), ask('two'), ask('three')]);
    asked[0]?.fail(new Error('lost'));
    await settled();
    asked[1]?.fail(new Error('lost again'));
    expect((await answers).map((answer) => answer.status === 'rejected' && answer.reason.message)).toEqual([
      'lost',
      'lost again',
      'lost again',
    ]);
    const next = ask('four');
    asked[2]?.answer('found');
    expect(await next).toBe('found');
  });
});
