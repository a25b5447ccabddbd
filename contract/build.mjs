// Makes dist/, the package others install, or makes it in the folder named. Inside this repository the sources are used
// as they are; Node strips no types under node_modules, so what is published is JavaScript with declarations and a
// manifest of its own.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = resolve(process.argv[2] ?? here('dist'));
const manifest = JSON.parse(readFileSync(here('package.json'), 'utf8'));

if (out === here('dist')) rmSync(out, { recursive: true, force: true });
execFileSync('tsc', ['-p', here('.'), '--outDir', out], { stdio: 'inherit', shell: process.platform === 'win32' });

const { name, version, license, description, type, engines } = manifest;
const published = {
  name,
  version,
  license,
  description,
  type,
  engines,
  sideEffects: false,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './*': { types: './*.d.ts', default: './*.js' },
  },
  // Whoever has this zod or a later one of its line shares it.
  dependencies: Object.fromEntries(
    Object.entries(manifest.dependencies).map(([dependency, exact]) => [dependency, `^${exact}`]),
  ),
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
copyFileSync(here('README.md'), join(out, 'README.md'));
copyFileSync(here('../LICENSE'), join(out, 'LICENSE'));
