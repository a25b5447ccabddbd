import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentProduct } from './demo.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isWindows = process.platform === 'win32';
const folder = await mkdtemp(join(tmpdir(), 'officium-package-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in the empty folder and returns its output; throws with its errors. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: folder,
    shell: isWindows,
    env: { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter) },
  }).catch((error: { message: string; stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  return stdout;
}

/** The programs of the README with this product's URL. */
async function programsOfReadme(): Promise<string[]> {
  const readme = await readFile(join(ROOT, 'contract/README.md'), 'utf8');
  const blocks = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, program = '']) => program);
  const { url } = await currentProduct();
  return blocks.map((program) => program.replaceAll('http://localhost:3000', url));
}

describe('the contract package', () => {
  let programs: string[] = [];

  beforeAll(async () => {
    await run('node', join(ROOT, 'contract/build.mjs'), join(folder, 'built'));
    const packed = await run('npm', 'pack', './built', '--json');
    const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }]; // as printed by npm pack
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'index.js', 'index.d.ts', 'community.js']));
    expect(paths.filter((path) => /\.test\.|(?<!\.d)\.ts$/.test(path))).toEqual([]);
    const manifest = {
      private: true,
      type: 'module',
      // The local zod, so that no registry is needed.
      dependencies: { '@officium/contract': `file:${filename}`, zod: `file:${join(ROOT, 'node_modules/zod')}` },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await run('npm', 'install', '--offline', '--install-links', '--no-audit', '--no-fund');
    programs = await programsOfReadme();
    await Promise.all(programs.map((program, at) => writeFile(join(folder, `program-${at}.ts`), program)));
  });

  it('compiles under strict TypeScript and runs on Node as its README shows', async () => {
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
    await run('tsc', ...options, ...programs.map((_, at) => `program-${at}.ts`));
    const [first = '', second = ''] = await Promise.all(programs.map((_, at) => run('node', `program-${at}.js`)));
    const lines = first.trim().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines.slice(0, 3)) expect(line).toMatch(/^\S.*: \S/);
    expect(lines[3]).toBe('404 request.not_found');
    expect(second.trim().split('\n')).toEqual(['Plain words', "Body is required when kind is 'reply'"]);
  });

  it('does not compile requests that the API would refuse', async () => {
    const mistakes = `
      import { createOfficium } from '@officium/contract';
      const officium = createOfficium({ baseUrl: '' });
      // @ts-expect-error a password is missing
      void officium.auth.signIn({ body: { email: 'learner@example.gov' } });
      // @ts-expect-error there is no such ranking
      void officium.community.listActivities({ params: { slug: 'a' }, query: { ranking: 'best' } });
      // @ts-expect-error contentType and match are asked for
      void officium.admin.listProducts();
    `;
    await writeFile(join(folder, 'mistakes.ts'), mistakes);
    await run(
      'tsc',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--lib',
      'es2023,dom',
      '--types',
      '',
      'mistakes.ts',
    );
  });
});
