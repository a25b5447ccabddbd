import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const AREAS = fileURLToPath(new URL('.', import.meta.url));
/** The style guide shows parts of all areas. */
const STYLEGUIDE = 'frame/styleguide.page.tsx';

it('imports no area from another; shared code belongs above them', () => {
  const crossing = globSync('*/**/*.{ts,tsx}', { cwd: AREAS })
    .filter((file) => file !== STYLEGUIDE)
    .flatMap((file) => {
      const [area] = file.split('/');
      const source = readFileSync(`${AREAS}${file}`, 'utf8');
      return [...source.matchAll(/from '\.\.\/(\w[^/']*)\//g)]
        .filter(([, other]) => other !== area)
        .map(([found]) => `${file}: ${found}`);
    });
  expect(crossing).toEqual([]);
});
