import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { until } from '../measures.ts';

export type Child = {
  pid: number;
  /** The exit code, null after a signal; undefined while it runs. */
  exitCode(): number | null | undefined;
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The output so far, stdout and stderr. */
  output(): Promise<string>;
};

export type ChildOptions = {
  /** Its output is appended to this file. */
  log: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Another account, for programs that refuse to run as root. */
  account?: { uid: number; gid: number } | undefined;
};

/** Starts a program that runs until it exits or gets a signal. */
export function startChild(program: string, args: readonly string[], options: ChildOptions): Child {
  const { log, env = {}, cwd, account } = options;
  const output = openSync(log, 'a');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, {
    env: { PATH, HOME, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', output, output],
    ...(cwd === undefined ? {} : { cwd }),
    ...account,
  });
  closeSync(output);
  let exitCode: number | null | undefined;
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve()); // it never started; output() is empty, and callers that wait for it report that
    child.on('exit', (code) => {
      exitCode = code;
      resolve();
    });
  });
  return {
    pid: child.pid ?? 0,
    exitCode: () => exitCode,
    ended,
    kill: (signal) => void child.kill(signal),
    output: async () => await readFile(log, 'utf8'),
  };
}

/** Runs a program to its end; throws with its output when it fails. */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<void> {
  const child = startChild(program, args, options);
  await child.ended;
  if (child.exitCode() !== 0) throw new Error(`${program} failed: ${(await child.output()).slice(-2000)}`);
}

/** Waits until a started program is ready; throws with its output when it exits first. */
export async function untilReady(
  name: string,
  child: Child,
  isReady: () => Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const check = async () => {
    if (child.exitCode() !== undefined)
      throw new Error(`${name} exited before it was ready: ${(await child.output()).slice(-2000)}`);
    return await isReady();
  };
  await until(`${name} is ready`, check, withinMs, 50);
}
