import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const START = fileURLToPath(new URL('start.js', import.meta.url));
/** Makes Node say that it is older, on another system. */
const pretend = (platform: string) =>
  `data:text/javascript,${encodeURIComponent(`
    for (const [name, value] of Object.entries({ versions: { ...process.versions, node: '20.19.0' }, platform: '${platform}' }))
      Object.defineProperty(process, name, { value });`)}`;

test.each([
  ['linux', 'Run npm ci, which brings Node 24, and start with npm start, which uses it.'],
  ['darwin', 'Install Node 24 from https://nodejs.org or with your package manager, then run npm ci again.'],
])('an older Node on %s stops the start with one line that says what to install', (platform, advice) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', pretend(platform), START], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([1, '', `Officium needs Node 24 or newer and found 20.19.0. ${advice}\n`]);
});
