import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApiReference } from './api-reference.ts';
import { compressAssets } from './compress-assets.ts';
import { HELP_FILES } from './help-files.ts';
import { slimManifest } from './slim-manifest.ts';

export const WEB_DIR = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(WEB_DIR);
const BUILD = join(WEB_DIR, 'build');
const STAMP = join(BUILD, 'stamp');
const SOURCES = ['web/app', 'web/public', 'web/worker', 'i18n', 'contract', 'docs/guides/pictures'];
const SINGLE_SOURCES = [
  'package-lock.json',
  'web/package.json',
  'web/vite.config.ts',
  'web/react-router.config.ts',
  'web/api-reference-file.ts',
  'web/api-reference.ts',
  'web/asset-licences-plugin.ts',
  'web/help-files.ts',
  'web/help-pages.ts',
  'web/help-plugin.ts',
  'web/light-script-plugin.ts',
  'web/messages-plugin.ts',
  'web/service-worker-plugin.ts',
  'web/slim-manifest.ts',
  'web/compress-assets.ts',
  ...HELP_FILES.map((file) => `docs/${file}`),
];

type Log = (line: string) => void;

/** Builds web/build unless it is up to date with the sources. */
export async function ensureBuilt(log: Log): Promise<void> {
  const wanted = await hashSources();
  const present = await readFile(STAMP, 'utf8').catch(() => undefined);
  if (present === wanted) return;
  await requireWritable();
  log('building the web, this takes some seconds');
  const startedAt = performance.now();
  await runBuild();
  await slimManifest(join(BUILD, 'client'));
  await compressAssets(join(BUILD, 'client'));
  await buildApiReference();
  await writeFile(STAMP, wanted);
  log(`built the web in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** A service may lack write access to its installation; then the installer must run the build. */
async function requireWritable(): Promise<void> {
  try {
    await mkdir(BUILD, { recursive: true });
    await access(BUILD, constants.W_OK);
  } catch (cause) {
    throw new Error(`The pages are not built, and ${BUILD} cannot be written: run npm run build as its owner`, {
      cause,
    });
  }
}

/** SHA-256 over the paths and contents of all build inputs, without tests. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...(await filesOf(SOURCES)), ...SINGLE_SOURCES]) {
    hash.update(file).update(await readFile(join(ROOT, file)).catch(() => ''));
  }
  return hash.digest('hex');
}

async function filesOf(directories: string[]): Promise<string[]> {
  const lists = await Promise.all(
    directories.map(async (directory) => {
      const entries = await readdir(join(ROOT, directory), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
    }),
  );
  return lists
    .flat()
    .filter((file) => !/\.test\.tsx?$|node_modules/.test(file))
    .sort();
}

// A separate process, because the build leaves half a GB of heap and global state behind.
function runBuild(): Promise<void> {
  const bin = join(dirname(createRequire(import.meta.url).resolve('@react-router/dev/package.json')), 'bin.cjs');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'build'], {
      cwd: WEB_DIR,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the web did not build:\n${output}`))));
  });
}

if (import.meta.main) await ensureBuilt(console.log);
