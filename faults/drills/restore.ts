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
import { ask, makeFixture, type Fixture } from '../fixture.ts';

const SMALL = { people: 20, posts: 40, polls: 20, lessons: 30, journeys: 10 };
const ERASED = 5;

async function loadFor(ms: number, url: string, fixture: Fixture): Promise<Loaded> {
  const load = startLoad({ urls: [url], fixture, perSecond: 30, writes: 80 });
  await pause(ms);
  return await load.stop();
}

/** Each person erases their own account. */
async function eraseAll(url: string, { people }: Fixture, databaseUrl: string): Promise<void> {
  const http = createHttp([url]);
  for (const { id, cookie } of people) {
    const [row] = await ask<{ email: string }>(databaseUrl, 'select email from users where id = $1', [id]);
    const path = `/api/auth/users/${encodeURIComponent(row?.email ?? '')}`;
    const answer = await http.send({ method: 'DELETE', path, cookie });
    if (!isOk(answer)) throw new Error(`DELETE ${path}: ${JSON.stringify(answer)}`);
  }
  await http.close();
}

const countRemaining = async (databaseUrl: string, { people }: Fixture) => {
  const ids = people.map(({ id }) => id);
  return (await ask(databaseUrl, 'select from users where id = any($1) and email is not null', [ids])).length;
};

export const drill: Drill = {
  name: 'restore',
  description:
    'Takes a base backup under load with archived WAL and picks a point in time after it; then come more writes, account erasures, and the loss of the database. Restores elsewhere to the chosen time and repeats the erasures (npm run erase-again).',
  async run({ scale, print }) {
    const phaseMs = Math.max(5_000, 60_000 * Math.min(scale, 1));
    return await withWorkshop(async (workshop) => {
      const archive = await workshop.place('archive');
      const primary = await makePostgres(workshop, {
        name: 'primary',
        settings: { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, archive_timeout: '60' },
      });
      const node = await makeNode(workshop, { name: 'all', role: 'all', settings: { DATABASE_URL: primary.url } });
      await node.start();
      const fixtures = {
        before: await makeFixture(primary.url, { size: SMALL, name: 'before' }),
        after: await makeFixture(primary.url, { size: SMALL, name: 'after' }),
        erased: await makeFixture(primary.url, { size: { ...SMALL, people: ERASED }, name: 'erased' }),
      };
      const first = loadFor(phaseMs, node.url, fixtures.before);
      const data = join(await workshop.place('restored'), 'data');
      await copyCluster(workshop, primary, { name: 'base', data });
      const kept = await first;
      await pause(1_000);
      const [chosen] = await ask<{ at: string }>(primary.url, 'select now()::text as at');
      print(`restoring to ${chosen?.at}`);
      await pause(1_000);
      await loadFor(phaseMs, node.url, fixtures.after);
      await eraseAll(node.url, fixtures.erased, primary.url);
      await pause(5_000); // for the job that records erasures
      await ask(primary.url, 'select pg_switch_wal()');
      await pause(2_000);
      await node.stop('SIGKILL');
      await primary.stop('kill');

      const startedMs = performance.now();
      await markForRecovery(data);
      const restored = await openCluster(workshop, {
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
      const again = await makeNode(workshop, { name: 'again', role: 'all', settings: { DATABASE_URL: restored.url } });
      const back = await countRemaining(restored.url, fixtures.erased);
      await runChild(process.execPath, [join(ROOT, 'server/cli/erase-again.ts')], {
        log: join(workshop.folder, 'erase-again.log'),
        env: { NODE_ENV: 'production', DATABASE_URL: restored.url, DATA_DIR: join(workshop.folder, 'files') },
        cwd: ROOT,
      });
      await again.start();
      const restoreMs = performance.now() - startedMs;
      const { before, after, erased } = fixtures;
      const account = await settle(kept, { fixture: before, url: again.url, databaseUrl: restored.url });
      // Articles of all people are in one list, so those written later are excluded by mark.
      const known = new Set(kept.writes.map(({ mark }) => mark));
      const later = [...(await readBack(after, again.url)).keys()].filter((mark) => !known.has(mark));
      return [
        ...ledgerFigures(account, print),
        none('writes from after the chosen time that were restored', later.length),
        {
          what: 'erased people who came back with the backup, before their erasures were repeated',
          result: String(back),
          target: `${ERASED}, otherwise nothing was tested`,
          isMet: back === ERASED,
        },
        none('erased people left afterwards', await countRemaining(restored.url, erased), ERASED),
        atMost(`from backup to ready, with a backup under ${phaseMs / 1000} s of load`, restoreMs, 3_600_000, seconds),
      ];
    });
  },
};
