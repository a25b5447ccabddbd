import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folders and files of the server by layer: each may import its own line and the lines before it. `app/` injects
 * what lower layers need from areas (jobs, routes, tables about people).
 */
const LAYERS = [
  ['errors.ts', 'page-address.ts', 'version.ts', 'published-password.ts', 'third-party-notices.ts'],
  ['text'],
  ['translation'],
  ['outside'],
  ['config.ts', 'config-content.ts', 'config-identity.ts', 'config-payments.ts', 'config-values.ts'],
  ['log.ts'],
  ['db'],
  ['personal-data'],
  ['live'],
  ['limits', 'site'],
  ['audit', 'access', 'notify'],
  ['jobs', 'mail', 'ctx.ts'],
  ['integrity'],
  ['metrics'],
  ['http'],
  ['status'],
  ['areas/assets'],
  ['areas/auth', 'areas/people', 'areas/account'],
  ['areas/catalogue'],
  ['areas/site'],
  ['areas/publish-checks'],
  ['areas/importing'],
  ['areas/authoring'],
  ['areas/question-files'],
  ['areas/articles'],
  ['areas/translations'],
  ['areas/enrolment'],
  ['areas/learner', 'areas/certificates'],
  ['areas/community'],
  ['areas/hubs'],
  ['areas/events'],
  ['areas/ai'],
  ['areas/notifications'],
  ['areas/search'],
  ['areas/moderation'],
  ['areas/admin'],
  ['areas/archive'],
  ['feeds'],
  ['demo'],
  ['seed'],
  ['app'],
  ['process'],
  ['doctor'],
  ['cli', 'evaluation'],
];
/** CONTRIBUTING.md describes the roles. */
const ROLE =
  /\/(?:[a-z-]+\.(?:routes|service|repository|sql|rows|policy|view|format|data|cache|jobs)|personal-data)\.ts$/;
const LAYER_OF = new Map(LAYERS.flatMap((units, layer) => units.map((unit) => [unit, layer] as const)));

/** `areas/auth` for `server/areas/auth/totp.policy.ts`, `ctx.ts` for `server/ctx.ts`. */
function unitOf(file: string): string {
  const [, first = '', second = ''] = file.split('/');
  return first === 'areas' ? `${first}/${second}` : first;
}

const files = globSync('{contract,i18n,server,web}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !/node_modules|web\/build\/|\.test\.tsx?$|^server\/(test\/|db\/embedded\/fixture)/.test(file),
);

/** Our own modules that a file imports, including types. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(?) ?'((?:#server|\.{1,2})\/[^']+)'/g)].map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : join(dirname(file), name),
  );
}

const known = new Set(files);
const graph = new Map(files.map((file) => [file, importsOf(file).filter((other) => known.has(other))]));

/** For each import cycle, the path from a file back to itself. */
function findCycles(of: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file)) return;
    for (const other of of.get(file) ?? []) visit(other, [...path, file]);
    done.add(file);
  };
  for (const file of of.keys()) visit(file, []);
  return cycles;
}

describe('the structure', () => {
  it('assigns a layer to every folder and file of the server', () => {
    const units = new Set(files.filter((file) => file.startsWith('server/')).map(unitOf));
    expect([...units].filter((unit) => !LAYER_OF.has(unit))).toEqual([]);
    expect([...LAYER_OF.keys()].filter((unit) => !units.has(unit))).toEqual([]);
  });

  it('has no import from a higher layer', () => {
    const layerOf = (file: string) => LAYER_OF.get(unitOf(file)) ?? -1; // checked by the test above
    const wrong = [...graph].flatMap(([file, imported]) =>
      file.startsWith('server/')
        ? imported
            .filter((other) => other.startsWith('server/') && layerOf(other) > layerOf(file))
            .map((other) => `${file} → ${other}`)
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('gives every file of an area a role', () => {
    const withoutRole = files.filter((file) => file.startsWith('server/areas/') && !ROLE.test(file));
    expect(withoutRole).toEqual([]);
  });

  it('defines each type name once', () => {
    const definedIn = new Map<string, string[]>();
    for (const file of files.filter((one) => one.startsWith('server/')))
      for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(
        /^export (?:type|interface|class) (\w+)/gm,
      ))
        definedIn.set(name, [...(definedIn.get(name) ?? []), file]);
    expect([...definedIn].filter(([, places]) => places.length > 1)).toEqual([]);
  });

  it('has no product file longer than 300 lines', () => {
    const isLong = (file: string) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length > 300;
    expect(files.filter((file) => !/^contract\/|\/schema\.ts$/.test(file) && isLong(file))).toEqual([]);
  });

  it('has no import cycle, including types', () => {
    expect(findCycles(graph)).toEqual([]);
  });

  it('detects an import cycle', () => {
    const cycle = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
    ]);
    expect(findCycles(cycle)).toEqual([['a', 'b', 'c', 'a']]);
  });
});
