import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folders and files of the server, from the ground up: each may import what stands on the lines before it and on its
 * own. Whatever a low one needs of the areas (jobs, routes, tables about people) it is given by `app/`.
 */
const FLOORS = [
  ['errors.ts', 'page-address.ts', 'version.ts', 'published-password.ts', 'third-party-notices.ts'],
  ['text'],
  ['translation'],
  ['outside'],
  ['config.ts', 'config-values.ts'],
  ['log.ts'],
  ['db'],
  ['personal-data'],
  ['live'],
  ['limits'],
  ['audit', 'access'],
  ['jobs', 'mail', 'ctx.ts'],
  ['integrity'],
  ['metrics'],
  ['http'],
  ['areas/assets'],
  ['areas/auth', 'areas/people', 'areas/account'],
  ['areas/catalogue'],
  ['areas/publish-checks'],
  ['areas/importing'],
  ['areas/authoring'],
  ['areas/articles'],
  ['areas/translations'],
  ['areas/enrolment'],
  ['areas/learner', 'areas/certificates'],
  ['areas/community'],
  ['areas/ai'],
  ['areas/notifications'],
  ['areas/search'],
  ['areas/moderation'],
  ['areas/admin'],
  ['feeds'],
  ['demo'],
  ['seed'],
  ['app'],
  ['process'],
  ['cli', 'evaluation'],
];
/** CONTRIBUTING.md says what each is for. */
const ROLE =
  /\/(?:[a-z-]+\.(?:routes|service|repository|sql|rows|policy|view|format|data|cache|jobs)|personal-data)\.ts$/;
const FLOOR_OF = new Map(FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));

/** Of `server/areas/auth/totp.policy.ts` it is `areas/auth`, of `server/ctx.ts` `ctx.ts`. */
function roomOf(file: string): string {
  const [, first = '', second = ''] = file.split('/');
  return first === 'areas' ? `${first}/${second}` : first;
}

const files = globSync('{contract,i18n,server,web}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !/node_modules|web\/build\/|\.test\.tsx?$|^server\/(test\/|db\/embedded\/fixture)/.test(file),
);

/** What a file imports of ours, types too. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(?) ?'((?:#server|\.{1,2})\/[^']+)'/g)].map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : join(dirname(file), name),
  );
}

const known = new Set(files);
const graph = new Map(files.map((file) => [file, importsOf(file).filter((other) => known.has(other))]));

/** A way from a file back to itself, for each circle that is met. */
function findCircles(of: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, way: string[]) => {
    if (way.includes(file)) return void circles.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file)) return;
    for (const other of of.get(file) ?? []) visit(other, [...way, file]);
    done.add(file);
  };
  for (const file of of.keys()) visit(file, []);
  return circles;
}

describe('the structure', () => {
  it('has a floor for every folder and file of the server', () => {
    const rooms = new Set(files.filter((file) => file.startsWith('server/')).map(roomOf));
    expect([...rooms].filter((room) => !FLOOR_OF.has(room))).toEqual([]);
    expect([...FLOOR_OF.keys()].filter((room) => !rooms.has(room))).toEqual([]);
  });

  it('has no import that leads up', () => {
    const floorOf = (file: string) => FLOOR_OF.get(roomOf(file)) ?? -1; // named by the test above
    const wrong = [...graph].flatMap(([file, imported]) =>
      file.startsWith('server/')
        ? imported
            .filter((other) => other.startsWith('server/') && floorOf(other) > floorOf(file))
            .map((other) => `${file} → ${other}`)
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('names the role of every file of an area', () => {
    const roleless = files.filter((file) => file.startsWith('server/areas/') && !ROLE.test(file));
    expect(roleless).toEqual([]);
  });

  it('has one definition for the name of a type', () => {
    const definedIn = new Map<string, string[]>();
    for (const file of files.filter((one) => one.startsWith('server/')))
      for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(
        /^export (?:type|interface|class) (\w+)/gm,
      ))
        definedIn.set(name, [...(definedIn.get(name) ?? []), file]);
    expect([...definedIn].filter(([, places]) => places.length > 1)).toEqual([]);
  });

  it('has no file of the product that is longer than 300 lines', () => {
    const isLong = (file: string) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length > 300;
    expect(files.filter((file) => !/^contract\/|\/schema\.ts$/.test(file) && isLong(file))).toEqual([]);
  });

  it('has no circle of imports, types among them', () => {
    expect(findCircles(graph)).toEqual([]);
  });

  it('would name a circle', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
    ]);
    expect(findCircles(circle)).toEqual([['a', 'b', 'c', 'a']]);
  });
});
