import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, ROOT } from '../../server/test/process.ts';
import { startChild, type Child, untilReady } from './child.ts';
import type { Workshop } from './workshop.ts';

/** A process of the product that always restarts on the same port. */
export type Node = {
  name: string;
  url: string;
  port: number;
  pid(): number;
  /**
   * Resolves when the process is ready, with the duration in milliseconds. `release` switches to another release
   * folder; by default this checkout.
   */
  start(release?: string): Promise<number>;
  /** Sends the signal and waits for the exit. Returns the duration in milliseconds. */
  stop(signal: NodeJS.Signals): Promise<number>;
  isReady(): Promise<boolean>;
  /** How often it exited without being stopped. */
  exits(): number;
  output(): Promise<string>;
};

export type NodeOptions = {
  name: string;
  role: 'web' | 'worker' | 'all';
  settings: Record<string, string>;
};

const READY_WITHIN_MS = 120_000;

/** Settings shared by all processes of an installation. */
export const COMMON_SETTINGS = {
  NODE_ENV: 'production',
  DEMO_CONTENT: 'off',
  LOG_LEVEL: 'warn',
  // A single process, so that the one that is killed, stopped or measured is the one that serves.
  WEB_PROCESSES: '1',
  SECRET_KEY: 'a key for drills only, 0123456789 0123456789',
  TRUST_PROXY: 'loopback',
};

/** The Node.js flags and the script of `npm start` in that release. */
async function argumentsOf(release: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(release, 'package.json'), 'utf8')) as {
    scripts: Record<'start', string>; // every release has it
  };
  const [, ...flags] = scripts.start.split(' ');
  const script = flags.pop() ?? '';
  return [...flags, join(release, script)];
}

/** A process of the product, not started yet. Its log is `<name>.log` in the workshop folder. */
export async function makeNode(workshop: Workshop, { name, role, settings }: NodeOptions): Promise<Node> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = join(workshop.folder, `${name}.log`);
  let child: Child | undefined;
  let isStopping = false;
  let exits = 0;
  let runs = ROOT;
  const isReady = async () =>
    await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (reply) => reply.ok,
      () => false,
    );
  const stop: Node['stop'] = async (signal) => {
    const startedAt = performance.now();
    isStopping = true;
    child?.kill(signal);
    await child?.ended;
    child = undefined;
    return performance.now() - startedAt;
  };
  workshop.atEnd(() => stop('SIGKILL'));
  return {
    name,
    url,
    port,
    isReady,
    stop,
    pid: () => child?.pid ?? 0,
    exits: () => exits,
    output: async () => await readFile(log, 'utf8'),
    async start(release) {
      runs = release ?? runs;
      const startedAt = performance.now();
      const env = {
        ...COMMON_SETTINGS,
        DATA_DIR: join(workshop.folder, 'files'),
        ...settings,
        ROLE: role,
        PORT: String(port),
      };
      isStopping = false;
      const started = startChild(process.execPath, await argumentsOf(runs), { log, env, cwd: runs });
      child = started;
      void started.ended.then(() => (exits += child === started && !isStopping ? 1 : 0));
      await untilReady(name, started, isReady, READY_WITHIN_MS);
      return performance.now() - startedAt;
    },
  };
}
