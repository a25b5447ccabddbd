import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export type Child = {
  pid: number;
  /** The exit code, null after a signal; undefined while it runs. */
  exitCode(): number | null | undefined;
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** What it said so far, on both of its outputs. */
  said(): Promise<string>;
};

export type ChildOptions = {
  /** A file to which its output is added. */
  log: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Under another account, for what refuses to run as root. */
  account?: { uid: number; gid: number } | undefined;
};

/** Starts a program that is ended by the signals it is sent and by nothing else. */
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
    child.on('error', () => resolve()); // it never began; said() has nothing, and whoever waits for it says so
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
    said: async () => await readFile(log, 'utf8'),
  };
}

/** Runs a program to its end; throws with what it said when it fails. */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<void> {
  const child = startChild(program, args, options);
  await child.ended;
  if (child.exitCode() !== 0) throw new Error(`${program} failed: ${(await child.said()).slice(-2000)}`);
}

/** Asks again and again until the answer is yes; throws when it was no for so long. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  withinMs = 60_000,
  everyMs = 50,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Waited ${Math.round(withinMs / 1000)} s in vain: ${what}`);
    await new Promise((later) => setTimeout(later, everyMs));
  }
}
