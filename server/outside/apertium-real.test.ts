import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RichText } from '@officium/contract/rich-text';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../test/process.ts';
import { createEngine } from '../translation/engine.ts';
import { structureOf } from '../translation/markdown-structure.ts';
import { openApertium } from './apertium.ts';
import { isFaithful, type TranslationEngine, translateWith } from '#server/translation/translation.ts';

// Paths of Debian's packages: apt-get install apertium-apy apertium-eng-spa apertium-fr-es apertium-es-pt apertium-hbs-eng
const APY = '/usr/bin/apertium-apy';
const MODES = '/usr/share/apertium/modes';
const isInstalled = [APY, `${MODES}/eng-spa.mode`, `${MODES}/fr-es.mode`, `${MODES}/es-pt.mode`].every((path) =>
  existsSync(path),
);

describe.runIf(isInstalled)('a real Apertium server', () => {
  let child: ChildProcess;
  let engine: TranslationEngine;
  const options = { source: 'en', target: 'es', model: 'fast', temperature: 0.2 } as const;

  beforeAll(async () => {
    const port = await freePort();
    // It needs a UTF-8 locale. `detached` puts it and its pipelines in one process group.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    child = spawn(APY, ['-p', String(port), '-t', '20', MODES], { stdio: 'ignore', cwd: '/tmp', detached: true, env });
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => await fetch(`${url}/listPairs`), { timeout: 30_000, interval: 200 });
    engine = createEngine(openApertium(url));
  }, 40_000);
  afterAll(() => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid);
  });

  it('translates Markdown and keeps its structure', async () => {
    const uuid = '0190a1b2-0000-7000-8000-000000000000';
    const content = `# The new school\n\nAsk {{${uuid}}} about the **annual report** & read [this page](https://example.org/plan).\n\n- The city opens a school.\n- Run \`npm ci\` today.\n\n| Year | Money |\n|---|---|\n| This year | 2 < 3 |\n`;
    const translated = await translateWith(engine, { encoding: 'markdown', content, ...options });
    expect(structureOf(translated)).toBe(structureOf(content));
    for (const words of ['escuela', 'informe anual', 'ciudad', 'Año', `{{${uuid}}}`, '`npm ci`', '2 < 3'])
      expect(translated).toContain(words);
    expect(translated).not.toMatch(/[*@#](?=\p{L}*(?:school|report|city))/u);
  }, 30_000);

  it('translates rich text and keeps its structure', async () => {
    const textNode = (value: string, ...marks: string[]) => ({
      nodeType: 'text',
      value,
      marks: marks.map((type) => ({ type })),
      data: {},
    });
    const content: RichText = {
      nodeType: 'document',
      data: {},
      content: [
        {
          nodeType: 'paragraph',
          data: {},
          content: [
            textNode('We bought a '),
            textNode('red', 'bold'),
            textNode(' house and a '),
            textNode('green', 'italic'),
            textNode(' car.'),
          ],
        },
      ],
    };
    const translated = await translateWith(engine, { encoding: 'rich-text', content, ...options });
    expect(isFaithful({ encoding: 'rich-text', content }, translated)).toBe(true);
    expect(JSON.stringify(translated)).toMatch(/casa/);
  }, 30_000);

  it('translates French to Portuguese through Spanish', async () => {
    const task = { encoding: 'plain-text', content: 'Le maire lit le rapport.', ...options } as const;
    expect(await translateWith(engine, { ...task, source: 'fr', target: 'pt' })).toMatch(/relatório/);
    expect(await translateWith(engine, { ...task, source: 'fr-CA', target: 'pt-BR' })).toMatch(/prefeito .*relatório/);
  }, 30_000);

  it.runIf(existsSync(`${MODES}/hbs-eng.mode`))(
    'translates from Serbian',
    async () => {
      const task = { encoding: 'plain-text', content: 'Министар чита извештај.', ...options } as const;
      expect(await translateWith(engine, { ...task, source: 'sr-Cyrl', target: 'en' })).toMatch(
        /[Mm]inister reads .*report/,
      );
    },
    30_000,
  );
});
