import { execFile } from 'node:child_process';
import { chown, mkdir, open, rename, rm, stat, statfs, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { uploadProfileImage } from '@officium/contract/assets';
import { readProfile } from '@officium/contract/account';
import { addressOf } from '@officium/contract/client';
import sharp from 'sharp';
import type { Drill, Reached } from '../drill.ts';
import { atMost, ledgerFigures, none, seconds } from '../figures.ts';
import { ask, type Answer, type Installation, type Node, openInstallation, request } from '../installation.ts';
import { failuresOf, firstOkAfter, startLoad } from '../load.ts';
import { inSeconds, pause, quantile, share, steadily, times } from '../measures.ts';
import { settle } from '../read-back.ts';
import { makeWorld, type World } from '../world.ts';
import { inCommunity } from '../writes.ts';

const PER_SECOND = 40;
const FULL_SECONDS = 30;
const SIZE = '384m';
const run = promisify(execFile);

/** A file system of its own for a folder, as only root may make one. `fill` leaves nothing of it, `free` takes that back. */
async function smallDisk(folder: string) {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    async fill() {
      const file = await open(filler, 'a');
      const piece = Buffer.alloc(64 * 1024);
      try {
        for (;;) await file.write(piece);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    /** What is left, in bytes. */
    left: async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    free: () => rm(filler),
    gone: () => run('umount', ['--lazy', folder]),
  };
}
type SmallDisk = Awaited<ReturnType<typeof smallDisk>>;

/** Puts a folder of the database onto another file system, under its old name. */
async function moveFolder(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(from);
  await run('cp', ['-a', from, join(to, basename(from))]);
  await chown(join(to, basename(from)), uid, gid);
  await rename(from, `${from}.before`);
  await symlink(join(to, basename(from)), from);
}

/** Writes to the log until there is no room for more: files that were made for it before the disk was full are used up. */
async function useUpLog(house: Installation): Promise<void> {
  const piece = `select pg_logical_emit_message(false, 'drill', repeat('x', 1000000))`;
  try {
    for (;;) await house.rows(piece);
  } catch {
    // The server has stopped, or says that it cannot write.
  }
}

type Say = (line: string) => void;

/** A feed, a thread and a profile, in turn and by different people. */
async function read(node: Node, world: World, nth: number): Promise<Answer> {
  const { people, wall } = world;
  const paths = ['', `/${wall.posts[nth % wall.posts.length]}`].map(
    (end) => `${inCommunity(wall.slug)}/activities${end}`,
  );
  const path = [...paths, '/api/account/accounts/me/profile'][nth % 3];
  return await request(`${node.url}${path}`, { as: people[nth % people.length] });
}

/** Fills the disk under a folder of the database while people write, and frees it again. */
async function databaseFull(part: 'base' | 'pg_wal', scale: number, say: Say): Promise<Reached[]> {
  let disk: SmallDisk | undefined;
  const place = join('/var/tmp', `officium-faults-${process.pid}-${part}`);
  const house = await openInstallation({
    async arrange(dataDirectory) {
      disk = await smallDisk(place);
      await moveFolder(join(dataDirectory, part), place);
    },
  });
  try {
    if (!disk) throw new Error('there is no small disk');
    const world = await makeWorld(house.databaseUrl, {
      size: { people: 60, posts: 60, polls: 20, lessons: 60, journeys: 10 },
    });
    const node = await house.start({ LOG_LEVEL: 'silent' });
    const load = startLoad({ urls: [node.url], world, perSecond: PER_SECOND });
    await pause(5_000);
    // Sessions not seen for some minutes are noted as seen, also of those who only read.
    await house.rows(`update sessions set last_seen_at = now() - interval '10 minutes'`);
    await disk.fill();
    if (part === 'pg_wal') await useUpLog(house);
    const fullMs = performance.now();
    say(`${part}: full`);
    const reading = steadily(10, (nth) => read(node, world, nth));
    await pause(1000 * FULL_SECONDS * Math.max(scale, 0.3));
    const reads = await reading.stop();
    await disk.free();
    const freeMs = performance.now();
    say(`${part}: free again`);
    await pause(30_000);
    const loaded = await load.stop();
    const account = await settle(loaded, { world, url: node.url, databaseUrl: house.databaseUrl });
    const within = loaded.attempts.filter(({ begunMs }) => begunMs > fullMs + 2_000 && begunMs < freeMs);
    const refused = within.filter(({ status }) => status === 503).length;
    const well = reads.filter(({ status }) => status === 200).length;
    const again = firstOkAfter(loaded.attempts, freeMs);
    const name = part === 'base' ? 'data disk full' : 'disk of the write-ahead log full';
    return [
      ...ledgerFigures(account, say),
      atMost('slowest answer to a request that failed', failuresOf(loaded.attempts).slowestMs, 6_000, seconds),
      atMost(
        'until the first success after there was room again',
        again === undefined ? undefined : again / 1000,
        60,
        inSeconds,
      ),
      {
        what: `requests answered 503 meanwhile, of ${within.length}`,
        reached: String(refused),
        demanded: 'more than 0',
        isReached: refused > 0,
      },
      // With the log full the server stops: nothing can be read either.
      ...(part === 'base' ? [share('reads answered as usual meanwhile', well, reads.length, 0.999)] : []),
      none('exits of the product', node.exitCode() === null ? 0 : 1),
    ].map((figure) => ({ ...figure, what: `${name}: ${figure.what}` }));
  } finally {
    await house.close();
    await disk?.gone();
    await rm(place, { recursive: true, force: true });
  }
}

/** Fills the disk on which the product keeps its files, its temporary files and its log. */
async function productFull(scale: number, say: Say): Promise<Reached[]> {
  const place = join('/var/tmp', `officium-faults-${process.pid}-files`);
  const disk = await smallDisk(place);
  const house = await openInstallation();
  try {
    await mkdir(join(place, 'tmp'));
    const node = await house.start(
      { DATA_DIR: join(place, 'files'), TMPDIR: join(place, 'tmp'), LOG_LEVEL: 'info' },
      { outputFile: join(place, 'log') },
    );
    const people = await house.makePeople(20);
    const somebody = (nth: number) => people[nth % people.length]!; // within the list
    const picture = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const upload = (nth: number) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'me.png');
      const address = addressOf(uploadProfileImage, { params: { userId: 'me' } });
      return request(`${node.url}${address}`, { as: somebody(nth), method: 'POST', body: form });
    };
    const other = () => steadily(20, (nth) => ask(node, readProfile, { as: somebody(nth), params: { id: 'me' } }));
    const during = async (): Promise<{ others: Answer[]; uploads: Answer[] }> => {
      const [reading, sending] = [other(), steadily(1, upload)];
      await pause(1000 * FULL_SECONDS * Math.max(scale, 0.3));
      return { others: await reading.stop(), uploads: await sending.stop() };
    };
    await during();
    const before = await during();
    await disk.fill();
    say('files, temporary files and log: full');
    const full = await during();
    await disk.free();
    await pause(2_000);
    const after = await upload(0);
    const p95 = ({ others }: { others: Answer[] }) =>
      quantile(
        others.map(({ ms }) => ms),
        0.95,
      );
    return [
      share('uploads answered 503', full.uploads.filter(({ status }) => status === 503).length, full.uploads.length, 1),
      share(
        'other requests answered as usual',
        full.others.filter(({ status }) => status === 200).length,
        full.others.length,
        1,
      ),
      atMost('95th percentile of other requests, to usual', p95(full) / p95(before), 1.2, times),
      none('uploads refused once there is room again', after.status === 201 ? 0 : 1, 1),
      none('exits of the product', node.exitCode() === null ? 0 : 1),
    ].map((figure) => ({ ...figure, what: `disk of files and log full: ${figure.what}` }));
  } finally {
    await house.close();
    await disk.gone();
    await rm(place, { recursive: true, force: true });
  }
}

export const drill: Drill = {
  name: 'disk-full',
  does: `Fills the file system under the data, then that under the write-ahead log, then that under the files, temporary files and log of the product, ${FULL_SECONDS} seconds each, while people write, and makes room again. Each is a file system in memory of ${SIZE}, which root alone may mount.`,
  async run({ scale, say }) {
    if (process.getuid?.() !== 0) throw new Error('Only root may mount the small file systems this drill fills.');
    return [
      ...(await databaseFull('base', scale, say)),
      ...(await databaseFull('pg_wal', scale, say)),
      ...(await productFull(scale, say)),
    ];
  },
};
