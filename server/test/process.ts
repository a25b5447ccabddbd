import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 180_000;

export type RunningProcess = {
  pid: number;
  output(): string;
  exitCode(): number | null;
  /** Sends the signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** Below the ephemeral ports, so that no other test takes one before its process listens. */
const PORTS = { first: 15_000, count: 15_000 };

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise<boolean>((answer) => {
    server.on('error', () => answer(false));
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)));
  });
}

/** The port of a server that listens on TCP. */
export const portOf = (server: { address(): AddressInfo | string | null }): number =>
  (server.address() as AddressInfo).port; // a pipe would have a string

/** The flags of `npm start`. */
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=60', '--expose-gc'];

/**
 * Runs a script of the checkout as a process with these settings; resolves when `url` is ready. Its output can go to a
 * file instead of `output()`.
 */
export async function startProcess(
  script: string,
  {
    url,
    settings,
    args = [],
    outputFile,
  }: { url: string; settings: Record<string, string>; args?: readonly string[]; outputFile?: string },
): Promise<RunningProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const file = outputFile === undefined ? undefined : await open(outputFile, 'a');
  const child = spawn(process.execPath, [...FLAGS, script, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: file ? ['ignore', file.fd, file.fd] : ['ignore', 'pipe', 'pipe'],
  });
  await file?.close(); // the process has its own descriptor

  let output = '';
  let hasEnded = false;
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const ended = new Promise<void>((resolve) =>
    child.on('exit', () => {
      hasEnded = true;
      resolve();
    }),
  );
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (hasEnded) throw new Error(`the process exited before it was ready:\n${output}`);
    const isReady = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) break;
    if (Date.now() > deadline) throw new Error(`the process was not ready in time:\n${output}`);
    await new Promise((later) => setTimeout(later, 50));
  }
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exitCode: () => child.exitCode,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}
