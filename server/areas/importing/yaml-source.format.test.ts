import { describe, expect, it } from 'vitest';
import { parseYaml } from './yaml-source.format.ts';

describe('a content file', () => {
  it('may name a key once in each map, whichever way it is written', () => {
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

  it('of tens of thousands of keys is read in time that grows as it does', () => {
    const text = Array.from({ length: 40_000 }, (_, n) => `key${n}: x`).join('\n');
    const begun = process.cpuUsage();
    expect(parseYaml('content.yaml', text).findings).toEqual([]);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(12);
  });
});
