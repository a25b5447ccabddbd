import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

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

/**
 * A headless Chromium: CHROMIUM_PATH, else the system's, else the one that comes as an npm package, with the libraries
 * it brings. Nothing is downloaded.
 */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH'] ?? SYSTEM_BROWSERS.find((path) => existsSync(path));
  if (given) return await chromium.launch({ executablePath: given, args: [...QUIET, ...more] });

  // The package unpacks into the temporary folder, under a fixed name: one folder a user keeps them apart.
  const folder = join(tmpdir(), `officium-browser-${userInfo().username}`);
  await mkdir(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  const libraries = await inflate(join(pathToPackage(), 'bin', 'al2023.tar.br'));
  const env = { ...process.env, LD_LIBRARY_PATH: join(libraries, 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return await chromium.launch({
    executablePath,
    args: [
      ...QUIET,
      ...more,
      '--no-zygote',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
    env,
  });
}

function pathToPackage(): string {
  const entry = new URL(import.meta.resolve('@sparticuz/chromium'));
  const root = entry.href.slice(0, entry.href.indexOf('@sparticuz/chromium/') + '@sparticuz/chromium/'.length);
  return decodeURIComponent(new URL(root || pathToFileURL('/').href).pathname);
}
