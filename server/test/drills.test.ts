import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DRILLS, MORE_REQUESTS, MORE_RULES } from '../../vitest.drills.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('{*,.*,{.ci,contract,demo,deploy,docs,e2e,i18n,server,web}/**/*}', {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
});

it.each([DRILLS, MORE_REQUESTS, MORE_RULES].flatMap(Object.entries<(typeof DRILLS)[string]>))(
  '%s exists, and files whose change runs it',
  (file, { paths }) => {
    const isThere = (path: string) =>
      files.some((known) => known.startsWith(path) || known === path.replace(/\/$/, ''));
    expect([file, ...paths].filter((path) => !isThere(path))).toEqual([]);
  },
);
