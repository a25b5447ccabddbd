import { describe, expect, it } from 'vitest';
import { coalesceCalls } from './replica-watch.ts';

describe('coalesceCalls', () => {
  it('shares one call among all that arrive before it starts, and one more among later ones', async () => {
    const answers: ((answer: number) => void)[] = [];
    const ask = coalesceCalls(() => new Promise<number>((resolve) => answers.push(resolve)));
    const [first, second] = [ask(), ask()];
    await Promise.resolve();
    expect(answers).toHaveLength(1);
    const [third, fourth] = [ask(), ask()];
    answers[0]?.(1);
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.(2);
    expect(await Promise.all([third, fourth])).toEqual([2, 2]);
  });

  it('asks again after a failed call', async () => {
    let asked = 0;
    const ask = coalesceCalls(async () => {
      asked += 1;
      if (asked === 1) throw new Error('lost');
      return asked;
    });
    await expect(ask()).rejects.toThrow('lost');
    expect(await ask()).toBe(2);
  });
});
