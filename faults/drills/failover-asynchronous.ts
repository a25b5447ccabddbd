import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Drill } from '../drill.ts';
import { count, ledgerFigures, none, seconds } from '../figures.ts';
import { openGate } from '../gate.ts';
import { setUp } from '../topology/installation.ts';
import { makeStandby, type Postgres } from '../topology/postgres.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';
import { ask } from '../fixture.ts';

const LOOK_EVERY_MS = 50;

/** Samples the flushed WAL position of a server. `stop` returns the samples. */
function watchLog(server: Postgres) {
  const seen: { bytes: number; atMs: number }[] = [];
  let isStopped = false;
  const polling = (async () => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => {}); // the pending statement rejects
    await client.connect();
    while (!isStopped) {
      const atMs = performance.now();
      const { rows } = await client.query(`select (pg_current_wal_flush_lsn() - '0/0')::float8 as bytes`);
      seen.push({ bytes: rows[0].bytes, atMs });
      await pause(LOOK_EVERY_MS);
    }
    await client.end();
  })();
  return {
    async stop() {
      isStopped = true;
      await polling;
      return seen;
    },
  };
}

/** An interval whose acknowledged writes had not reached the standby that was promoted next. */
type Lag = { fromMs: number; killedMs: number; reportedBytes: number };

export const drill: Drill = {
  name: 'failover-asynchronous',
  description:
    'Kills the primary under load and promotes an asynchronous standby, 5 times. For 2 s before the kill the standby receives nothing, so that some writes are at risk: only those may be lost, and the primary must have reported the lag.',
  async run({ scale, print }) {
    const times = Math.max(1, Math.round(5 * scale));
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop);
      const { gate, webs } = installation;
      const lags: Lag[] = [];
      const { loaded, account } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        print,
        async work() {
          for (let time = 1; time <= times; time++) {
            const { primary } = installation;
            const way = await openGate(primary.port);
            workshop.atEnd(() => way.close());
            const standby = await makeStandby(workshop, primary, {
              name: `standby_${time}`,
              isSynchronous: false,
              port: way.port,
            });
            await pause(scale >= 1 ? 30_000 : 5_000);
            const watched = watchLog(primary);
            await pause(500);
            way.set('lossy');
            await pause(2_000);
            const [reported] = await ask<{ bytes: number }>(
              primary.url,
              `select (pg_current_wal_lsn() - replay_lsn)::float8 as bytes from pg_stat_replication`,
            );
            const seen = await watched.stop();
            const killedMs = performance.now();
            await primary.stop('kill');
            const [received] = await ask<{ bytes: number }>(
              standby.url,
              `select (pg_last_wal_receive_lsn() - '0/0')::float8 as bytes`,
            );
            await ask(standby.url, 'select pg_promote()');
            gate.redirectTo(standby.port);
            const had = seen.findLast(({ bytes }) => bytes <= (received?.bytes ?? 0));
            if (!had) throw new Error('the standby is behind the first sample');
            lags.push({ fromMs: had.atMs, killedMs, reportedBytes: reported?.bytes ?? 0 });
            print(
              `promotion ${time} of ${times}, ${seconds(killedMs - had.atMs)} behind, ${count(reported?.bytes ?? 0)} bytes`,
            );
            Object.assign(installation, { primary: standby, databaseUrl: standby.url });
            await pause(scale >= 1 ? 20_000 : 10_000);
          }
        },
      });
      const endedMs = new Map(loaded.writes.map((write) => [write.mark, write.endedMs]));
      const isExcused = (mark: string) => {
        const at = endedMs.get(mark) ?? 0;
        // Answers sent just before the kill arrive after it.
        return lags.some(({ fromMs, killedMs }) => at >= fromMs && at <= killedMs + 1_000);
      };
      const lost = account.lost.filter((mark) => !isExcused(mark));
      const gone = new Set(account.lost);
      const missed = account.missed.filter(({ mark }) => !gone.has(mark));
      const [, ...others] = ledgerFigures({ ...account, lost, missed }, print);
      const longest = Math.max(...lags.map(({ fromMs, killedMs }) => killedMs - fromMs));
      return [
        none('acknowledged writes lost that the standby had received', lost.length, account.acknowledged),
        {
          what: `acknowledged writes lost, all acknowledged while the standby was behind (at most ${seconds(longest)})`,
          result: `${count(account.lost.length - lost.length)} of ${count(account.acknowledged)}`,
          target: 'some, otherwise nothing was tested',
          isMet: account.lost.length > lost.length,
        },
        none(
          'promotions without a reported lag before (pg_stat_replication)',
          lags.filter(({ reportedBytes }) => reportedBytes === 0).length,
          times,
        ),
        ...others,
        exitFigure(installation),
        answerFigure(loaded),
      ];
    });
  },
};
