import { expect, it } from 'vitest';
import { theProduct } from '../demo.ts';

const read = async (path: string) => await (await fetch((await theProduct()).url + path)).text();

it('links every page to the licences of the scripts, styles and fonts a browser is sent', async () => {
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
