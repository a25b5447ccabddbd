import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type DemoProduct } from './demo.ts';

const SERVICE_KEY = 'guide-service-key-0123456789-0123456789';
const DEFAULT_ADDRESS = 'http://localhost:3000';

type Example = { line: number; script: string; expected: { language: string; text: string } };

/** The code blocks of docs/api.md: each `sh` block with its expected output. */
async function readExamples(): Promise<Example[]> {
  const guide = await readFile(new URL('../docs/api.md', import.meta.url), 'utf8');
  const blocks = Array.from(guide.matchAll(/^```(\w+)\n(.*?)^```$/gms), (match) => ({
    language: match[1] ?? '',
    text: match[2] ?? '',
    line: guide.slice(0, match.index).split('\n').length,
  }));
  return blocks.flatMap((block, at) => {
    const expected = blocks[at + 1];
    if (block.language !== 'sh') return [];
    if (!expected || expected.language === 'sh') throw new Error(`docs/api.md:${block.line} has no expected output`);
    return [{ line: block.line, script: block.text, expected }];
  });
}

const MARK = '--- the next example ---';

/** Runs the examples in one shell and returns the output of each. */
async function runAll(scripts: string[], folder: string): Promise<string[]> {
  await promisify(execFile)('curl', ['--version']).catch(() => {
    throw new Error('The examples of docs/api.md need curl');
  });
  const shell = spawn('sh', ['-s'], { cwd: folder, env: { PATH: process.env['PATH'], SERVICE_KEY } });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  shell.stderr.on('data', (chunk) => (errors += chunk));
  shell.stdin.end(scripts.join(`\nprintf '\\n%s\\n' '${MARK}'\n`));
  const code = await new Promise<number | null>((ended, failed) => shell.on('close', ended).on('error', failed));
  if (code !== 0) throw new Error(`The examples exited with ${code}.\n${errors}`);
  return output.split(`\n${MARK}\n`);
}

/** `"…"` in the guide matches any value; as a field, any further fields. */
function fits(actual: unknown, expected: unknown): boolean {
  if (expected === '…') return actual !== undefined;
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected)) return false;
  const given = actual as Record<string, unknown>; // checked above to be an object
  const { '…': more, ...named } = expected as Record<string, unknown>; // checked above to be an object
  const hasOthers = Object.keys(given).some((name) => !Object.hasOwn(named, name));
  return (more !== undefined || !hasOthers) && Object.entries(named).every(([name, value]) => fits(given[name], value));
}

describe('docs/api.md', () => {
  const examples: Example[] = [];
  let product: DemoProduct | undefined;
  let folder = '';
  let answers: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'officium-guide-'));
    examples.push(...(await readExamples()));
    product = await startDemo({ SERVICE_API_KEYS: `guide:${SERVICE_KEY}`, RATE_LIMITS: 'on' });
    const { url } = product;
    answers = await runAll(
      examples.map(({ script }) => script.replaceAll(DEFAULT_ADDRESS, url)),
      folder,
    );
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows the actual result of each example', () => {
    expect(examples.length).toBeGreaterThan(8);
    expect(answers).toHaveLength(examples.length);
    for (const [at, { line, expected }] of examples.entries()) {
      const answer = answers[at] ?? '';
      if (expected.language === 'http') {
        const plain = (text: string) => text.toLowerCase().replaceAll('\r', '').trim().split('\n');
        expect(plain(answer), `docs/api.md:${line}`).toEqual(expect.arrayContaining(plain(expected.text)));
      } else if (!fits(JSON.parse(answer), JSON.parse(expected.text))) {
        expect(JSON.parse(answer), `docs/api.md:${line}`).toEqual(JSON.parse(expected.text));
      }
    }
  });
});
