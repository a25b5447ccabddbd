import { describe, expect, it } from 'vitest';
import { together } from './replica.ts';

describe('together', () => {
  it('asks once for all who come before it asks, and once more for who comes while it does', async () => {
    const answers: ((answer: number) => void)[] = [];
    const ask = together(() => new Promise<number>((resolve) => answers.push(resolve)));
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

  it('asks again after a question that failed', async () => {
    let asked = 0;
    const ask = together(async () => {
      asked += 1;
      if (asked === 1) throw new Error('lost');
      return asked;
    });
    await expect(ask()).rejects.toThrow('lost');
    expect(await ask()).toBe(2);
  });
});
