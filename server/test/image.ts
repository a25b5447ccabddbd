import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { ROOT } from './process.ts';

// Executes deploy/Dockerfile in plain folders on a machine without Docker. The base image is this machine, read-only.
// Needs root, unshare, mount, chroot and setpriv.

type Env = Record<string, string>;
export type Image = {
  root: string;
  workdir: string;
  env: Env;
  /** Metadata instructions such as USER and CMD, by name. */
  metadata: Map<string, string>;
};

/** The uid of `node` in the base image. */
const USER = { name: 'node', id: 1000 };
/** The path of Node in the base image. */
const NODE = '/run/node/bin';
const PATH = `${NODE}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
const SYSTEM_FOLDERS = ['usr', 'bin', 'sbin', 'lib', 'lib64', 'etc', 'dev', 'proc'];

const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const isKept = line.startsWith('!');
    const pattern = line
      .slice(isKept ? 1 : 0)
      .replaceAll('.', '\\.')
      .replaceAll('*', '[^/]*')
      .replaceAll('[^/]*[^/]*/', '(?:.*/)?');
    return { isKept, pattern: new RegExp(`^${pattern}(?:/|$)`) };
  });

/** Whether .dockerignore excludes a path. The last matching rule for it or a parent folder decides. */
export function isIgnored(path: string): boolean {
  return rules.findLast(({ pattern }) => pattern.test(path))?.isKept !== true;
}

function filesIn(path: string): string[] {
  if (/(?:^|\/)(?:node_modules|\.git)$/.test(path)) return [];
  if (!lstatSync(join(ROOT, path)).isDirectory()) return isIgnored(path) ? [] : [path];
  return readdirSync(join(ROOT, path)).flatMap((name) => filesIn(`${path}/${name}`));
}

/** Executes COPY; a missing source is an error, as in Docker. */
function copy(image: Image, words: string[], stages: Map<string, Image>): void {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const [to = '', ...sources] = words.filter((word) => !word.startsWith('--')).toReversed();
  const target = join(image.root, posix.resolve(image.workdir, to));
  for (const source of sources) {
    if (from !== undefined) {
      cpSync(join(stages.get(from)?.root ?? '', source), target, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    const files = filesIn(source);
    if (files.length === 0) throw new Error(`COPY ${source}: the context has no such file`);
    for (const file of files) {
      const place = file !== source ? file.slice(source.length + 1) : to.endsWith('/') ? basename(file) : '';
      mkdirSync(dirname(join(target, place)), { recursive: true });
      copyFileSync(join(ROOT, file), join(target, place), constants.COPYFILE_FICLONE);
    }
  }
}

function begin(root: string): Image {
  for (const name of SYSTEM_FOLDERS) {
    const place = `/${name}`;
    // Keep links such as /bin to /usr/bin.
    if (existsSync(place) && lstatSync(place).isSymbolicLink()) symlinkSync(readlinkSync(place), join(root, name));
    else mkdirSync(join(root, name), { recursive: true });
  }
  for (const place of [NODE, 'root', 'tmp']) mkdirSync(join(root, place), { recursive: true });
  writeFileSync(join(root, NODE, 'node'), '');
  for (const file of ['passwd', 'group']) {
    const lines = readFileSync(`/etc/${file}`, 'utf8').split('\n');
    const others = lines.filter((line) => line !== '' && !line.startsWith(`${USER.name}:`));
    const own = `${USER.name}:x:${USER.id}:${file === 'passwd' ? `${USER.id}::/home/node:/bin/sh` : ''}`;
    writeFileSync(join(root, 'run', file), [...others, own, ''].join('\n'));
  }
  return { root, workdir: '/', env: {}, metadata: new Map() };
}

export type Inside = {
  env: Env;
  /** Writable mounts: local folders by their path in the image. */
  binds?: Record<string, string>;
  /** Run like our containers: read-only except `binds` and /tmp, as the image's user, without capabilities. */
  isConfined?: boolean;
};

/** Runs a command with the image as its root; the returned process is the command itself. */
export function spawnInside(image: Image, command: string[], { env, binds = {}, isConfined }: Inside): ChildProcess {
  const { root } = image;
  const mounts = ['set -e', `mount --bind '${root}' '${root}'`];
  for (const name of SYSTEM_FOLDERS) {
    const place = join(root, name);
    if (!existsSync(`/${name}`) || lstatSync(place).isSymbolicLink()) continue;
    mounts.push(`mount --rbind /${name} '${place}'`);
    if (name !== 'dev' && name !== 'proc') mounts.push(`mount -o remount,bind,ro '${place}'`);
  }
  for (const file of ['passwd', 'group']) mounts.push(`mount --bind '${root}/run/${file}' '${root}/etc/${file}'`);
  mounts.push(`mount --bind '${process.execPath}' '${root}${NODE}/node'`, `mount -t tmpfs tmpfs '${root}/tmp'`);
  for (const [place, folder] of Object.entries(binds)) {
    if (lstatSync(folder).isDirectory()) mkdirSync(join(root, place), { recursive: true });
    else writeFileSync(join(root, place), '');
    mounts.push(`mount --bind '${folder}' '${root}${place}'`);
  }
  if (isConfined) mounts.push(`mount -o remount,bind,ro '${root}'`);
  const confined = [`--reuid=${USER.id}`, `--regid=${USER.id}`, '--clear-groups', '--no-new-privs'].concat([
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--bounding-set=-all',
  ]);
  const become = isConfined ? ['setpriv', ...confined] : [];
  const enter = ['chroot', root, ...become, 'sh', '-c', 'cd "$0" && exec "$@"', image.workdir, ...command];
  return spawn(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', `${mounts.join('\n')}\nexec "$@"`, 'sh', ...enter],
    {
      env: { PATH, HOME: isConfined ? '/home/node' : '/root', ...image.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/** Output and exit code of a process. */
export function watch(child: ChildProcess): { output(): string; ended: Promise<number | null> } {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  return { output: () => output, ended };
}

/** Executes RUN with this machine's registry settings, and with npm's cache where the file mounts one. */
async function run(image: Image, rest: string): Promise<void> {
  const command = rest.replace(/^(?:--mount=\S+ )*/, '');
  const npm = (key: string) => execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim();
  const userconfig = npm('userconfig');
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(?:(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name) ? [[name, value]] : [],
    ),
  );
  const { output, ended } = watch(
    spawnInside(image, ['sh', '-c', command], {
      env: { ...env, npm_config_registry: npm('registry') },
      binds: {
        ...(rest.includes('target=/root/.npm') ? { '/root/.npm': npm('cache') } : {}),
        ...(existsSync(userconfig) && join(homedir(), '.npmrc') === userconfig ? { '/root/.npmrc': userconfig } : {}),
      },
    }),
  );
  const code = await ended;
  if (code !== 0) throw new Error(`RUN ${command}\nexited with ${code}:\n${output()}`);
}

/** Builds the image of deploy/Dockerfile in a folder. */
export async function buildImage(folder: string): Promise<Image> {
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  for (const line of lines) {
    const [instruction = '', ...words] = line.split(/\s+/);
    const rest = line.slice(instruction.length + 1);
    if (instruction === 'FROM') {
      image = begin(join(folder, `stage-${stages.size}`));
      stages.set(words[2] ?? `stage-${stages.size}`, image);
      continue;
    }
    if (!image) throw new Error(`${instruction} before FROM`);
    if (instruction === 'WORKDIR') {
      image.workdir = rest;
      mkdirSync(join(image.root, rest), { recursive: true });
    } else if (instruction === 'ENV') {
      for (const word of words) image.env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
    } else if (instruction === 'COPY') copy(image, words, stages);
    else if (instruction === 'RUN') await run(image, rest);
    else image.metadata.set(instruction, rest);
  }
  if (!image) throw new Error('deploy/Dockerfile has no FROM');
  return image;
}
