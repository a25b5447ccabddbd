import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '#server/errors.ts';

/** Argon2id as OWASP asks for: 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** As many at once as there are cores, so that a flood of logins leaves the rest of the process its turn. */
let maxRunning = availableParallelism();

/** There are so many processes like this one on the machine. */
export function shareCores(processes: number): void {
  maxRunning = Math.max(1, Math.floor(availableParallelism() / processes));
}

/** About ten seconds of work for two cores, or twenty for one; beyond that, waiting helps nobody. */
const MAX_WAITING = 500;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= MAX_WAITING) throw new AppError('server.unavailable', { retryAfterSeconds: 5 });
    await new Promise<void>((resume) => waiting.push(resume)); // the one who ends hands its place over
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** One form for what looks alike on every keyboard: composed, compatibility characters resolved. */
function normalise(password: string): string {
  return password.normalize('NFKC').toWellFormed();
}

export async function hashPassword(password: string): Promise<string> {
  return await inTurn(() => hash(normalise(password), OPTIONS));
}

let decoy: Promise<string> | undefined;

/** Compares with a stored hash. Without one it does the same work and answers false. */
export async function isPassword(password: string, storedHash: string | null | undefined): Promise<boolean> {
  const expected = storedHash ?? (await (decoy ??= hashPassword('nobody has this password')));
  const matches = await inTurn(() => verify(expected, normalise(password)));
  return matches && storedHash != null;
}
