import { describe, expect, it } from 'vitest';
import { gathered } from './gather.ts';

const database = {};

/** What is asked, and how each question is answered when the test says so. */
function asking() {
  const asked: { ids: string[]; answer: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const ask = gathered<object, { key: string }, string>(
    (_database, _about, ids) => new Promise((answer, fail) => asked.push({ ids, answer, fail })),
  );
  return { asked, ask: (id: string, key = 'a', of = database) => ask(of, { key }, id) };
}
const settled = () => new Promise((later) => setImmediate(later));

describe('gathered', () => {
  it('asks at once, and once more for all who came meanwhile, after they came', async () => {
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

  it('asks of different things and databases at the same time', () => {
    const { asked, ask } = asking();
    void ask('one');
    void ask('one', 'b');
    void ask('one', 'a', {});
    expect(asked).toHaveLength(3);
  });

  it('tells all of a round what it throws, and goes on', async () => {
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
