// Builds the published package into dist/ or the given folder. This repository uses the sources directly. Node does not
// strip types under node_modules, so the package contains JavaScript, declarations and its own manifest.
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
  // A caret range, so that dependents share one copy of zod.
  dependencies: Object.fromEntries(
    Object.entries(manifest.dependencies).map(([dependency, exact]) => [dependency, `^${exact}`]),
  ),
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
copyFileSync(here('README.md'), join(out, 'README.md'));
copyFileSync(here('../LICENSE'), join(out, 'LICENSE'));
