import { expect, it } from 'vitest';
import { currentProduct } from '../demo.ts';

const read = async (path: string) => await (await fetch((await currentProduct()).url + path)).text();

it('every page links to the licences of all scripts, styles and fonts sent to browsers', async () => {
  const [, link] = /<footer[^]*<a href="([^"]+licences[^"]*)"/.exec(await read('/')) ?? [];
  expect(link).toBeDefined();
  const licences = await read(link ?? '');
  const named = Array.from(licences.matchAll(/^## (\S+) - [\d.]+ /gm), ([, name]) => name);
  expect(named).toEqual(
    expect.arrayContaining([
      'react',
      'zod',
      'lucide-react',
      'tailwindcss',
      '@scalar/fastify-api-reference',
      '@fontsource-variable/public-sans',
    ]),
  );
  expect(new Set(named).size).toBe(named.length);
  const fonts = new Set(
    Array.from((await styleOf()).matchAll(/font-family:["']?([\w ]+?) Variable/g), ([, name]) => name),
  );
  expect(fonts.size).toBeGreaterThan(2);
  for (const font of fonts) expect(named).toContain(`@fontsource-variable/${font?.toLowerCase().replaceAll(' ', '-')}`);
  expect(licences).toContain('SIL OPEN FONT LICENSE Version 1.1');
});

async function styleOf(): Promise<string> {
  const [, path = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(await read('/')) ?? [];
  return await read(path);
}
