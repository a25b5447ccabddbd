import { describe, expect, it } from 'vitest';
import { parseYaml } from './yaml-source.format.ts';

describe('parseYaml', () => {
  it('reports a key that occurs twice in a map, quoted or not', () => {
    const twice = ['title: a', 'other:', '  title: b', '  "title": c', 'list:', '  - {id: 1, id: 2}', 'title: d'];
    const { value, findings } = parseYaml('content.yaml', twice.join('\n'));
    expect(value).toBeUndefined();
    expect(findings.map(({ line, message }) => [line, message])).toEqual([
      [7, 'Map keys must be unique'],
      [4, 'Map keys must be unique'],
      [6, 'Map keys must be unique'],
    ]);
    expect(parseYaml('content.yaml', '1: a\n"1": b\n').findings).toEqual([]);
  });

  it('parses tens of thousands of keys in linear time', () => {
    const text = Array.from({ length: 40_000 }, (_, n) => `key${n}: x`).join('\n');
    const begun = process.cpuUsage();
    expect(parseYaml('content.yaml', text).findings).toEqual([]);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(12);
  });

  it('finds the lines of tens of thousands of keys in linear time', () => {
    const { lineOf } = parseYaml('content.yaml', Array.from({ length: 40_000 }, (_, n) => `key${n}: x`).join('\n'));
    const begun = process.cpuUsage();
    for (let n = 0; n < 40_000; n += 1) if (lineOf([`key${n}`]) !== n + 1) throw new Error(`wrong line of key${n}`);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(4);
  });

  it.each(['['.repeat(5000), '['.repeat(5000) + ']'.repeat(5000), 'a: {'.repeat(4000)])(
    'says in plain words that a file is nested too deeply',
    (text) => {
      const { value, findings } = parseYaml('content.yaml', text);
      expect(value).toBeUndefined();
      expect(findings.map(({ message }) => message)).toContain('Nested too deeply');
      expect(findings.filter(({ message }) => /stack/.test(message))).toEqual([]);
    },
  );

  it('refuses many aliases before it resolves them', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `a${n}: &a${n} x\nb${n}: *a${n}`).join('\n');
    expect(parseYaml('content.yaml', lines(100)).findings).toEqual([]);
    expect(parseYaml('content.yaml', lines(30_000)).findings).toMatchObject([{ message: 'More than 100 aliases' }]);
  });
});
