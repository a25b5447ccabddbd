import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { currentProduct } from '../demo.ts';
import { findScreens, visitOf } from '../people.ts';
import { addressOf, isFor, SCREENS, type Found, type Person, type Screen } from '../screens.ts';

/** Script size in kB. Visitors get only app/light/script.ts, not the application. */
const MAX_LIGHT_KB = 5;
/**
 * Script size with the application. React, its router and the message engine alone take 110. Forms are not loaded
 * lazily, because text typed during hydration would be lost.
 */
const MAX_SCRIPT_KB = 160;
const MAX_STYLE_KB = 30;
/** Pages that load the application for every viewer, as declared in their `handle`. */
const WITH_APP = ['offline'];

type Weight = { page: string; script: number; style: number; files: number };

let found: Found;
beforeAll(async () => {
  found = await findScreens();
});

const files = new Map<string, Promise<string>>();
async function fetchText(path: string): Promise<string> {
  return await (await fetch((await currentProduct()).url + path)).text();
}
function read(path: string): Promise<string> {
  const known = files.get(path) ?? fetchText(path);
  files.set(path, known);
  return known;
}

/** Every script loaded before hydration: those in the document and their static imports. */
async function scriptsOf(html: string): Promise<Set<string>> {
  const files = new Set<string>();
  const waiting = namedIn(html);
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const imports = (await read(file)).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w.-]+\.js)"/g);
    waiting.push(...[...imports].map(([, name]) => `/assets/${name}`));
  }
  return files;
}

function namedIn(html: string): string[] {
  return [...html.matchAll(/["'](\/assets\/[\w.-]+\.js)["']/g)].map(([, path]) => path ?? '');
}

async function kilobytes(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...files].map(async (file) => gzipSync(await read(file), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** The session cookie of a person; empty for visitors. */
async function cookieOf(person: Person): Promise<string> {
  if (person === 'visitor') return '';
  const { context } = await visitOf(person);
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await context.close();
  return cookies;
}

async function weigh(page: string, cookie: string): Promise<Weight> {
  const html = await (await fetch((await currentProduct()).url + page, { headers: { cookie } })).text();
  // The page state also names scripts of routes as data; only scripts that the document loads count.
  const loading = html.match(/<link[^>]+modulepreload[^>]*>|<script[^>]*(?: src=| type="module")[^>]*>[^<]*/g) ?? [];
  const scripts = await scriptsOf(loading.join('\n'));
  const styles = [...html.matchAll(/<link[^>]+href="(\/assets\/[\w.-]+\.css)"/g)].map(([, path]) => path ?? '');
  return { page, script: await kilobytes(scripts), style: await kilobytes(new Set(styles)), files: scripts.size };
}

function tableOf(weights: Weight[]): string {
  const lines = weights.map(
    ({ page, script, style, files }) =>
      `${script.toFixed(1).padStart(7)} kB in ${String(files).padStart(2)} scripts ${style.toFixed(1).padStart(6)} kB style  ${page}`,
  );
  return `\n${lines.join('\n')}\n`;
}

async function expectWithin(limit: { least: number; most: number }, person: Person, screens: Screen[]): Promise<void> {
  const cookie = await cookieOf(person);
  const weights: Weight[] = [];
  for (const screen of screens) weights.push(await weigh(addressOf(screen, found, 'en'), cookie));
  // A page without scripts or styles is a fault too.
  const wrong = weights.filter(
    ({ script, style }) => script > limit.most || script < limit.least || style > MAX_STYLE_KB || style < 5,
  );
  expect(wrong, tableOf(weights)).toEqual([]);
}

describe('the first load of a page, compressed', () => {
  const of = (person: Person) => SCREENS.filter((screen) => isFor(screen, person) && !screen.state);
  const needsApp = ({ route }: Screen) => WITH_APP.includes(route);

  it(`is at most ${MAX_LIGHT_KB} kB of script for a visitor, and ${MAX_STYLE_KB} kB of style`, async () => {
    await expectWithin(
      { least: 0.5, most: MAX_LIGHT_KB },
      'visitor',
      of('visitor').filter((one) => !needsApp(one)),
    );
  });

  it(`is at most ${MAX_SCRIPT_KB} kB of script where the application comes with it`, async () => {
    await expectWithin({ least: 50, most: MAX_SCRIPT_KB }, 'visitor', of('visitor').filter(needsApp));
    await expectWithin({ least: 50, most: MAX_SCRIPT_KB }, 'member', of('member'));
  });
});
