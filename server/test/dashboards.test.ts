import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createTestApp } from './app.ts';

const test = await createTestApp();

const NAME = /\b(?:http|officium|nodejs|process)_[a-z0-9_]+\b/g;

describe.each(['prometheus-rules.yaml', 'grafana-dashboard.json'])('deploy/%s', (file) => {
  it('uses only metrics that /metrics exposes', async () => {
    await test.send('GET', '/healthz');
    const { body } = await test.send('GET', '/metrics');
    const exposed = new Set(String(body).match(NAME));
    const used = new Set((await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')).match(NAME));
    expect(used.size).toBeGreaterThan(4);
    expect([...used].filter((name) => !exposed.has(name))).toEqual([]);
  });
});

describe('metrics of single processes', () => {
  const OF_PROCESS = /\b(?:nodejs|process)_[a-z0-9_]+\b/;

  it('are shown per process in alerts and panels, never summed', async () => {
    const read = (file: string) => readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
    const { groups } = parse(await read('prometheus-rules.yaml')) as {
      groups: { rules: { expr: string; annotations: { summary: string } }[] }[];
    }; // our own file
    const { panels } = JSON.parse(await read('grafana-dashboard.json')) as {
      panels: { targets: { expr: string; legendFormat: string }[] }[];
    }; // our own file
    const shown = [
      ...groups.flatMap(({ rules }) => rules).map(({ expr, annotations }) => ({ expr, as: annotations.summary })),
      ...panels.flatMap(({ targets }) => targets).map(({ expr, legendFormat }) => ({ expr, as: legendFormat })),
    ].filter(({ expr }) => OF_PROCESS.test(expr));
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter(({ expr, as }) => /\b(?:sum|avg)\b/.test(expr) || !/\bprocess\b/.test(as))).toEqual([]);
  });
});

describe('deploy/prometheus-rules.yaml', () => {
  it('has a summary and instructions for each alert', async () => {
    const text = await readFile(new URL('../../deploy/prometheus-rules.yaml', import.meta.url), 'utf8');
    const { groups } = parse(text) as { groups: { rules: Record<string, unknown>[] }[] }; // our own file
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(8);
    for (const rule of rules)
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^[A-Z]\w+$/),
        expr: expect.any(String),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String), action: expect.any(String) },
      });
  });
});
