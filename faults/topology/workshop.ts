import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot, parsePasswd, pickAccount, type Account } from '../../server/db/embedded/place.ts';

/**
 * The folder of a drill and everything it started. Programs that refuse to run as root use `account`, which may enter
 * the folder.
 */
export type Workshop = {
  folder: string;
  account: Account | undefined;
  /** Creates a subfolder that belongs to the account. */
  place(name: string): Promise<string>;
  /** Registers cleanup; runs in reverse order. */
  atEnd(close: () => Promise<unknown>): void;
};

/** Runs `work` in a workshop, then stops and removes everything in it, even after an error. */
export async function withWorkshop<T>(work: (workshop: Workshop) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-faults-'));
  await chmod(folder, 0o755);
  const account = isRoot() ? pickAccount(parsePasswd(await readFile('/etc/passwd', 'utf8'))) : undefined;
  const closers: (() => Promise<unknown>)[] = [];
  const workshop: Workshop = {
    folder,
    account,
    async place(name) {
      const place = join(folder, name);
      await mkdir(place, { recursive: true, mode: 0o755 });
      if (account) await chown(place, account.uid, account.gid);
      return place;
    },
    atEnd: (close) => void closers.unshift(close),
  };
  const end = async () => {
    for (let close = closers.shift(); close; close = closers.shift())
      await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Clean up on an interrupt too.
  const interrupted = () => void end().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await work(workshop);
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await end();
  }
}
