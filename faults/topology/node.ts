import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, ROOT } from '../../server/test/process.ts';
import { startChild, until, type Child } from './child.ts';
import type { Workshop } from './workshop.ts';

/** A process of the product, which is started again on the same port. */
export type Node = {
  name: string;
  url: string;
  port: number;
  pid(): number;
  /**
   * Resolves when it says that it is ready; answers how long that took, in milliseconds. `release`: the folder of the one
   * it runs from now on; this checkout until told.
   */
  start(release?: string): Promise<number>;
  /** Sends the signal and waits for the end; answers how long that took, in milliseconds. */
  stop(signal: NodeJS.Signals): Promise<number>;
  isReady(): Promise<boolean>;
  /** How often it ended without having been told to. */
  exits(): number;
  said(): Promise<string>;
};

export type NodeOptions = {
  name: string;
  role: 'web' | 'worker' | 'all';
  settings: Record<string, string>;
};

const READY_WITHIN_MS = 120_000;

/** Settings that every process of one installation has alike. */
export const COMMON_SETTINGS = {
  NODE_ENV: 'production',
  DEMO_CONTENT: 'off',
  LOG_LEVEL: 'warn',
  // The process that is killed, stopped or weighed is the one that serves, and not one that looks after others.
  WEB_PROCESSES: '1',
  SECRET_KEY: 'a key for drills that nobody else has, 0123456789',
  TRUST_PROXY: 'loopback',
};

/** What `npm start` gives to Node.js there: its flags and the script. */
async function argumentsOf(release: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(release, 'package.json'), 'utf8')) as {
    scripts: Record<'start', string>; // any release has it
  };
  const [, ...flags] = scripts.start.split(' ');
  const script = flags.pop() ?? '';
  return [...flags, join(release, script)];
}

/** A process of the product, not started yet. Its log is `<name>.log` in the workshop. */
export async function makeNode(shop: Workshop, { name, role, settings }: NodeOptions): Promise<Node> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = join(shop.folder, `${name}.log`);
  let child: Child | undefined;
  let isTold = false;
  let exits = 0;
  let runs = ROOT;
  const isReady = async () =>
    await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (reply) => reply.ok,
      () => false,
    );
  const stop: Node['stop'] = async (signal) => {
    const begun = performance.now();
    isTold = true;
    child?.kill(signal);
    await child?.ended;
    child = undefined;
    return performance.now() - begun;
  };
  shop.atEnd(() => stop('SIGKILL'));
  return {
    name,
    url,
    port,
    isReady,
    stop,
    pid: () => child?.pid ?? 0,
    exits: () => exits,
    said: async () => await readFile(log, 'utf8'),
    async start(release) {
      runs = release ?? runs;
      const begun = performance.now();
      const env = {
        ...COMMON_SETTINGS,
        DATA_DIR: join(shop.folder, 'files'),
        ...settings,
        ROLE: role,
        PORT: String(port),
      };
      isTold = false;
      const started = startChild(process.execPath, await argumentsOf(runs), { log, env, cwd: runs });
      child = started;
      void started.ended.then(() => (exits += child === started && !isTold ? 1 : 0));
      await until(
        `${name} is ready`,
        async () => {
          if (started.exitCode() !== undefined)
            throw new Error(`${name} ended before it was ready: ${(await started.said()).slice(-2000)}`);
          return await isReady();
        },
        READY_WITHIN_MS,
      );
      return performance.now() - begun;
    },
  };
}
