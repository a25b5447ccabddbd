import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../server/test/process.ts';
import type { Drill } from '../drill.ts';
import { atMost, ledgerFigures, none, seconds } from '../figures.ts';
import { createHttp, isOk } from '../http.ts';
import { startLoad, type Loaded } from '../load.ts';
import { readBack, settle } from '../read-back.ts';
import { runChild } from '../topology/child.ts';
import { makeNode } from '../topology/node.ts';
import { copyCluster, findBinaries, makePostgres, markForRecovery, openCluster } from '../topology/postgres.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { ask, makeWorld, type World } from '../world.ts';

const SMALL = { people: 20, posts: 40, polls: 20, lessons: 30, journeys: 10 };
const ERASED = 5;

async function loadFor(ms: number, url: string, world: World): Promise<Loaded> {
  const load = startLoad({ urls: [url], world, perSecond: 30, writes: 80 });
  await pause(ms);
  return await load.stop();
}

/** People who erase their own accounts. */
async function eraseAll(url: string, { people }: World, databaseUrl: string): Promise<void> {
  const http = createHttp([url]);
  for (const { id, cookie } of people) {
    const [row] = await ask<{ email: string }>(databaseUrl, 'select email from users where id = $1', [id]);
    const path = `/api/auth/users/${encodeURIComponent(row?.email ?? '')}`;
    const answer = await http.send({ method: 'DELETE', path, cookie });
    if (!isOk(answer)) throw new Error(`DELETE ${path}: ${JSON.stringify(answer)}`);
  }
  await http.close();
}

const stillThere = async (databaseUrl: string, { people }: World) => {
  const ids = people.map(({ id }) => id);
  return (await ask(databaseUrl, 'select from users where id = any($1) and email is not null', [ids])).length;
};

export const drill: Drill = {
  name: 'restore',
  does: 'A base backup under load, archived WAL, a second chosen after it; then more writes, people who erase their accounts, and the database is lost. It is restored to the chosen second elsewhere and the erasures are done again (npm run erase-again).',
  async run({ scale, say }) {
    const phaseMs = Math.max(5_000, 60_000 * Math.min(scale, 1));
    return await withWorkshop(async (shop) => {
      const archive = await shop.place('archive');
      const primary = await makePostgres(shop, {
        name: 'primary',
        settings: { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, archive_timeout: '60' },
      });
      const node = await makeNode(shop, { name: 'all', role: 'all', settings: { DATABASE_URL: primary.url } });
      await node.start();
      const worlds = {
        before: await makeWorld(primary.url, { size: SMALL, name: 'before' }),
        after: await makeWorld(primary.url, { size: SMALL, name: 'after' }),
        erased: await makeWorld(primary.url, { size: { ...SMALL, people: ERASED }, name: 'erased' }),
      };
      const first = loadFor(phaseMs, node.url, worlds.before);
      const data = join(await shop.place('restored'), 'data');
      await copyCluster(shop, primary, { name: 'base', data });
      const kept = await first;
      await pause(1_000);
      const [chosen] = await ask<{ at: string }>(primary.url, 'select now()::text as at');
      say(`restoring to ${chosen?.at}`);
      await pause(1_000);
      await loadFor(phaseMs, node.url, worlds.after);
      await eraseAll(node.url, worlds.erased, primary.url);
      await pause(5_000); // the job that notes them
      await ask(primary.url, 'select pg_switch_wal()');
      await pause(2_000);
      await node.stop('SIGKILL');
      await primary.stop('kill');

      const begunMs = performance.now();
      await markForRecovery(data);
      const restored = await openCluster(shop, {
        bin: await findBinaries(),
        data,
        name: 'restored',
        settings: {
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          max_connections: '300',
          restore_command: `cp ${archive}/%f %p`,
          recovery_target_time: chosen?.at ?? '',
          recovery_target_action: 'promote',
        },
      });
      await restored.start();
      const again = await makeNode(shop, { name: 'again', role: 'all', settings: { DATABASE_URL: restored.url } });
      const back = await stillThere(restored.url, worlds.erased);
      await runChild(process.execPath, [join(ROOT, 'server/cli/erase-again.ts')], {
        log: join(shop.folder, 'erase-again.log'),
        env: { NODE_ENV: 'production', DATABASE_URL: restored.url, DATA_DIR: join(shop.folder, 'files') },
        cwd: ROOT,
      });
      await again.start();
      const restoreMs = performance.now() - begunMs;
      const { before, after, erased } = worlds;
      const account = await settle(kept, { world: before, url: again.url, databaseUrl: restored.url });
      // Articles are listed together, whoever wrote them.
      const known = new Set(kept.writes.map(({ mark }) => mark));
      const later = [...(await readBack(after, again.url)).keys()].filter((mark) => !known.has(mark));
      return [
        ...ledgerFigures(account, say),
        none('writes of after the chosen second that are there', later.length),
        {
          what: 'erased people who came back with the backup, before their erasures were done again',
          reached: String(back),
          demanded: `${ERASED}, or nothing was tested`,
          isReached: back === ERASED,
        },
        none('erased people who are still there', await stillThere(restored.url, erased), ERASED),
        atMost(`from the backup to ready, a backup under ${phaseMs / 1000} s of load`, restoreMs, 3_600_000, seconds),
      ];
    });
  },
};
