import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#server/errors.ts';

/** Argon2id with the parameters OWASP recommends: 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** At most one hash per core at a time, so that a flood of logins does not starve the process. */
let maxRunning = availableParallelism();

/** Divides the cores among the processes on this machine. */
export function shareCores(processes: number): void {
  maxRunning = Math.max(1, Math.floor(availableParallelism() / processes));
}

/** About ten seconds of work for two cores. Beyond that, callers are refused instead of queued. */
const MAX_WAITING = 500;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= MAX_WAITING) throw new AppError('server.unavailable', { retryAfterSeconds: 5 });
    await new Promise<void>((resume) => waiting.push(resume)); // a finished task hands over its slot
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** NFKC, so that a password matches however a keyboard composes its characters. */
function normalise(password: string): string {
  return password.normalize('NFKC').toWellFormed();
}

export async function hashPassword(password: string): Promise<string> {
  return await inTurn(() => hash(normalise(password), OPTIONS));
}

let decoy: Promise<string> | undefined;

/** Compares a password with a stored hash. Without a hash it does the same work and returns false. */
export async function isPassword(password: string, storedHash: string | null | undefined): Promise<boolean> {
  const expected = storedHash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const matches = await inTurn(() => verify(expected, normalise(password)));
  return matches && storedHash != null;
}
