import { describe, expect, it } from 'vitest';
import { createEngine, type TranslationProvider } from './engine.ts';
import { capitals } from './fake-translation.ts';

const task = { source: 'en', target: 'fr', model: 'fast', temperature: 0.2 } as const;
const provider = (translateTexts: TranslationProvider['translateTexts'], parallel = 2): TranslationProvider => ({
  batch: { characters: 40, texts: 3, parallel },
  nameOf: () => 'a test',
  sourcesOf: async () => ['en'],
  translateTexts,
});

describe('createEngine', () => {
  it('sends batches with limited concurrency and keeps the order', async () => {
    const batches: string[][] = [];
    let running = 0;
    let most = 0;
    const { promise: laterBatch, resolve: answerFirst } = Promise.withResolvers<void>();
    const engine = createEngine(
      provider(async (texts) => {
        batches.push(texts);
        most = Math.max(most, ++running);
        if (batches.length === 1) await laterBatch;
        else setImmediate(answerFirst);
        running -= 1;
        return await capitals(texts);
      }),
    );
    const lines = ['one', 'two', 'three', 'four', `long ${'word '.repeat(20)}end`, 'five', '', '6'];
    const content = lines.join('\n');
    expect(await engine.translate({ encoding: 'plain-text', content, ...task })).toBe(content.toUpperCase());
    expect(batches.map((batch) => batch.length)).toEqual([3, 1, 1, 1]);
    expect(most).toBe(2);
  });

  it('aborts after the time limit when the provider is slow', async () => {
    let aborted = 0;
    const engine = createEngine(
      provider(
        async (_, { signal }) =>
          await new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              aborted += 1;
              reject(new Error('too late'));
            }),
          ),
      ),
      { timeLimitMs: 40 },
    );
    await expect(engine.translate({ encoding: 'plain-text', content: 'a\nb\nc\nd\ne', ...task })).rejects.toThrow(
      'too late',
    );
    expect(aborted).toBeGreaterThan(0);
  });

  it('sends no further batches after one failed', async () => {
    let asked = 0;
    const engine = createEngine(
      provider(async () => {
        asked += 1;
        return await Promise.reject(new Error('down'));
      }, 1),
    );
    const content = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n');
    await expect(engine.translate({ encoding: 'plain-text', content, ...task })).rejects.toThrow('down');
    expect(asked).toBe(1);
  });

  it('keeps addresses, mentions and empty lines of a plain text', async () => {
    const engine = createEngine(provider(async (texts) => await capitals(texts)));
    const uuid = '0190a1b2-0000-7000-8000-000000000000';
    const content = ` ask {{${uuid}}}\r\n\r\n\tat https://example.org/a_b. <b>no tag</b> &amp; `;
    expect(await engine.translate({ encoding: 'plain-text', content, ...task })).toBe(
      ` ASK {{${uuid}}}\r\n\r\n\tAT https://example.org/a_b. <B>NO TAG</B> &AMP; `,
    );
  });
});
