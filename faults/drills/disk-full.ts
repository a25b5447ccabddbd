import { setTimeout as pause } from 'node:timers/promises';
import { execFile } from 'node:child_process';
import { chown, mkdir, open, rename, rm, stat, statfs, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { uploadProfileImage } from '@officium/contract/assets';
import { readProfile } from '@officium/contract/account';
import { addressOf } from '@officium/contract/client';
import sharp from 'sharp';
import type { Drill, Figure } from '../drill.ts';
import { atMost, ledgerFigures, none, seconds } from '../figures.ts';
import { ask, type Answer, type Sandbox, type SandboxNode, openSandbox, request } from '../sandbox.ts';
import { failuresOf, recoveryTime, startLoad } from '../load.ts';
import { inSeconds, share, steadily, times, inTurn, p95Of } from '../measures.ts';
import { settle } from '../read-back.ts';
import { makeFixture, type Fixture } from '../fixture.ts';
import { inCommunity } from '../writes.ts';

const PER_SECOND = 40;
const FULL_SECONDS = 30;
const SIZE = '384m';
const run = promisify(execFile);

/** A small file system for a folder; mounting it needs root. `fill` uses up all space, `free` releases it. */
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
    /** Free space in bytes. */
    left: async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    free: () => rm(filler),
    gone: () => run('umount', ['--lazy', folder]),
  };
}
type SmallDisk = Awaited<ReturnType<typeof smallDisk>>;

/** Moves a folder of the database to another file system and links it under its old path. */
async function moveFolder(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(from);
  await run('cp', ['-a', from, join(to, basename(from))]);
  await chown(join(to, basename(from)), uid, gid);
  await rename(from, `${from}.before`);
  await symlink(join(to, basename(from)), from);
}

/** Writes WAL until the disk has no room: recycled segments from before are used up too. */
async function fillLog(sandbox: Sandbox): Promise<void> {
  const piece = `select pg_logical_emit_message(false, 'drill', repeat('x', 1000000))`;
  try {
    for (;;) await sandbox.rows(piece);
  } catch {
    // The server has stopped or reports that it cannot write.
  }
}

type Print = (line: string) => void;

/** Requests a feed or a thread, in turn and as different people. */
async function read(node: SandboxNode, fixture: Fixture, nth: number): Promise<Answer> {
  const { people, wall } = fixture;
  const paths = ['', `/${wall.posts[nth % wall.posts.length]}`].map(
    (end) => `${inCommunity(wall.slug)}/activities${end}`,
  );
  const path = [...paths, '/api/account/accounts/me/profile'][nth % 3];
  return await request(`${node.url}${path}`, { as: people[nth % people.length] });
}

/** Fills the disk under a folder of the database while people write, then frees it. */
async function databaseFull(part: 'base' | 'pg_wal', scale: number, print: Print): Promise<Figure[]> {
  let disk: SmallDisk | undefined;
  const place = join('/var/tmp', `officium-faults-${process.pid}-${part}`);
  const sandbox = await openSandbox({
    async arrange(dataDirectory) {
      disk = await smallDisk(place);
      await moveFolder(join(dataDirectory, part), place);
    },
  });
  try {
    if (!disk) throw new Error('the small disk was not mounted');
    const fixture = await makeFixture(sandbox.databaseUrl, {
      size: { people: 60, posts: 60, polls: 20, lessons: 60, journeys: 10 },
    });
    const node = await sandbox.start({ LOG_LEVEL: 'silent' });
    const load = startLoad({ urls: [node.url], fixture, perSecond: PER_SECOND });
    await pause(5_000);
    // Makes readers write too: sessions last seen minutes ago are updated on the next request.
    await sandbox.rows(`update sessions set last_seen_at = now() - interval '10 minutes'`);
    await disk.fill();
    if (part === 'pg_wal') await fillLog(sandbox);
    const fullMs = performance.now();
    print(`${part}: full`);
    const reading = steadily(10, (nth) => read(node, fixture, nth));
    await pause(1000 * FULL_SECONDS * Math.max(scale, 0.3));
    const reads = await reading.stop();
    await disk.free();
    const freeMs = performance.now();
    print(`${part}: free again`);
    await pause(30_000);
    const loaded = await load.stop();
    const account = await settle(loaded, { fixture, url: node.url, databaseUrl: sandbox.databaseUrl });
    const within = loaded.attempts.filter(({ startedMs }) => startedMs > fullMs + 2_000 && startedMs < freeMs);
    const refused = within.filter(({ status }) => status === 503).length;
    const well = reads.filter(({ status }) => status === 200).length;
    const again = recoveryTime(loaded.attempts, freeMs);
    const name = part === 'base' ? 'data disk full' : 'WAL disk full';
    return [
      ...ledgerFigures(account, print),
      atMost('slowest failed request', failuresOf(loaded.attempts).slowestMs, 6_000, seconds),
      atMost(
        'time to the first success after space was freed',
        again === undefined ? undefined : again / 1000,
        60,
        inSeconds,
      ),
      {
        what: `requests answered 503 meanwhile, of ${within.length}`,
        result: String(refused),
        target: 'more than 0',
        isMet: refused > 0,
      },
      // A full WAL disk stops the server, so reads fail too.
      ...(part === 'base' ? [share('reads that succeeded meanwhile', well, reads.length, 0.999)] : []),
      none('exits of the product', node.exitCode() === null ? 0 : 1),
    ].map((figure) => ({ ...figure, what: `${name}: ${figure.what}` }));
  } finally {
    await sandbox.close();
    await disk?.gone();
    await rm(place, { recursive: true, force: true });
  }
}

/** Fills the disk with the product's files, temporary files and log. */
async function productFull(scale: number, print: Print): Promise<Figure[]> {
  const place = join('/var/tmp', `officium-faults-${process.pid}-files`);
  const disk = await smallDisk(place);
  const sandbox = await openSandbox();
  try {
    await mkdir(join(place, 'tmp'));
    const node = await sandbox.start(
      { DATA_DIR: join(place, 'files'), TMPDIR: join(place, 'tmp'), LOG_LEVEL: 'info' },
      { outputFile: join(place, 'log') },
    );
    const people = await sandbox.makePeople(20);
    const personAt = inTurn(people);
    const picture = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const upload = (nth: number) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'me.png');
      const address = addressOf(uploadProfileImage, { params: { userId: 'me' } });
      return request(`${node.url}${address}`, { as: personAt(nth), method: 'POST', body: form });
    };
    const other = () => steadily(20, (nth) => ask(node, readProfile, { as: personAt(nth), params: { id: 'me' } }));
    const during = async (): Promise<{ others: Answer[]; uploads: Answer[] }> => {
      const [reading, sending] = [other(), steadily(1, upload)];
      await pause(1000 * FULL_SECONDS * Math.max(scale, 0.3));
      return { others: await reading.stop(), uploads: await sending.stop() };
    };
    await during();
    const before = await during();
    await disk.fill();
    print('files, temporary files and log: full');
    const full = await during();
    await disk.free();
    await pause(2_000);
    const after = await upload(0);
    return [
      share('uploads answered 503', full.uploads.filter(({ status }) => status === 503).length, full.uploads.length, 1),
      share(
        'other requests that succeeded',
        full.others.filter(({ status }) => status === 200).length,
        full.others.length,
        1,
      ),
      atMost(
        '95th percentile of other requests, relative to normal',
        p95Of(full.others) / p95Of(before.others),
        1.2,
        times,
      ),
      none('uploads refused after space was freed', after.status === 201 ? 0 : 1, 1),
      none('exits of the product', node.exitCode() === null ? 0 : 1),
    ].map((figure) => ({ ...figure, what: `disk of files and log full: ${figure.what}` }));
  } finally {
    await sandbox.close();
    await disk.gone();
    await rm(place, { recursive: true, force: true });
  }
}

export const drill: Drill = {
  name: 'disk-full',
  description: `Fills the file system under the data, then the one under the write-ahead log, then the one under the product’s files, temporary files and log, ${FULL_SECONDS} seconds each, while people write, and frees the space again. Each is an in-memory file system of ${SIZE}, which only root may mount.`,
  async run({ scale, print }) {
    if (process.getuid?.() !== 0) throw new Error('This drill needs root to mount small file systems.');
    return [
      ...(await databaseFull('base', scale, print)),
      ...(await databaseFull('pg_wal', scale, print)),
      ...(await productFull(scale, print)),
    ];
  },
};
