import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const AREAS = fileURLToPath(new URL('.', import.meta.url));
/** Shows what pages of all areas look like. */
const STYLEGUIDE = 'frame/styleguide.page.tsx';

it('no area imports another: what several need lives above them', () => {
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
