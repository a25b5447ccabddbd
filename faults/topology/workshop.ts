import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot, parsePasswd, pickAccount, type Account } from '../../server/db/embedded/place.ts';

/**
 * The folder of a drill and all that it started. What refuses to be root runs as `account`, which may enter the folder.
 */
export type Workshop = {
  folder: string;
  account: Account | undefined;
  /** A folder of its own in it, which belongs to the account. */
  place(name: string): Promise<string>;
  /** What is to be ended when the drill is; the last first. */
  atEnd(close: () => Promise<unknown>): void;
};

/** Lends a workshop; whatever happens, everything in it is ended and removed. */
export async function withWorkshop<T>(work: (shop: Workshop) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-faults-'));
  await chmod(folder, 0o755);
  const account = isRoot() ? pickAccount(parsePasswd(await readFile('/etc/passwd', 'utf8'))) : undefined;
  const closers: (() => Promise<unknown>)[] = [];
  const shop: Workshop = {
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
  // Whoever interrupts a drill wants nothing left running either.
  const interrupted = () => void end().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await work(shop);
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await end();
  }
}
