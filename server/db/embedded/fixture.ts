import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { canReach, isRoot } from './place.ts';
import { isPostmasterOf, sleep } from './process.ts';
import { readPidFile } from './pid-file.ts';

export type ProductReport = { url?: string; code?: string; message?: string; value?: unknown };
export type Product = {
  child: ChildProcess;
  pid: number;
  report: Promise<ProductReport>;
  ended: Promise<number | null>;
};

const NOBODY = { name: 'nobody', uid: 65_534, gid: 65_534 };

/**
 * Whether root can start a product as another account here. Not when this checkout, including Node among its packages,
 * is in a folder that only root may enter.
 */
export const canRunAsOthers = isRoot() && (await canReach(dirname(process.execPath), NOBODY));

// The script of a separate product process: start, report in one line of JSON, then run its task.
const script = `
const [, , source, task, options, argument] = process.argv;
const from = (name) => import(source + name);
const say = (report) => console.log(JSON.stringify(report));
try {
  const parsed = { ...JSON.parse(options), log: () => {} };
  if (task === 'binaries') say({ value: await (await from('binaries.ts')).prepareBinaries(parsed) });
  else {
    const server = await (await from('embedded.ts')).startEmbedded(parsed);
    say({ url: server.url });
    if (task === 'stop') await server.stop();
    if (task === 'hold') setInterval(() => {}, 1000);
  }
} catch (error) {
  say({ code: error.code ?? 'none', message: error.message });
}`;

/** A folder for one test that leaves no server, process or file behind. */
export class Workshop {
  folder = '';
  #children: ChildProcess[] = [];
  #programs = 0;

  async open(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'officium-embedded-'));
    await chmod(this.folder, 0o755);
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  async product(
    task: 'hold' | 'stop' | 'leave' | 'binaries',
    options: object,
    as?: { uid: number; gid: number },
  ): Promise<Product> {
    const program = this.path(`product-${(this.#programs += 1)}.mjs`);
    await writeFile(program, script);
    const source = new URL('.', import.meta.url).href;
    const child = spawn(process.execPath, [program, source, task, JSON.stringify(options)], {
      ...as,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    const lines = createInterface({ input: child.stdout });
    const report = new Promise<ProductReport>((resolve) => {
      lines.once('line', (line) => resolve(JSON.parse(line)));
      lines.once('close', () => resolve({ code: 'SAID_NOTHING' }));
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, pid: child.pid ?? 0, report, ended };
  }

  /** An unrelated program under the account. */
  bystander(as: { uid: number; gid: number }): ChildProcess {
    const child = spawn('sleep', ['120'], { ...as, stdio: 'ignore' });
    this.#children.push(child);
    return child;
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const entry of await readdir(this.folder, { recursive: true, withFileTypes: true })) {
      if (entry.name === 'postmaster.pid') await endServer(entry.parentPath);
    }
    // The initdb of a killed product may still write.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function endServer(cluster: string): Promise<void> {
  const found = await readPidFile(cluster);
  if (!found || !isPostmasterOf(found.pid, cluster)) return;
  process.kill(found.pid, 'SIGQUIT');
  while (isPostmasterOf(found.pid, cluster)) await sleep(20);
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function giveFolder(folder: string, to: { uid: number; gid: number }): Promise<void> {
  await chown(folder, to.uid, to.gid);
}
