import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Drill } from '../drill.ts';
import { count, ledgerFigures, none, seconds } from '../figures.ts';
import { openGate } from '../gate.ts';
import { setUp } from '../topology/installation.ts';
import { makeStandby, type Postgres } from '../topology/postgres.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';
import { ask } from '../world.ts';

const LOOK_EVERY_MS = 50;

/** Notes how far the log of a server is written, again and again; `stop` answers what was seen. */
function watchLog(server: Postgres) {
  const seen: { bytes: number; atMs: number }[] = [];
  let isOver = false;
  const looking = (async () => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => {}); // the statement under way is told
    await client.connect();
    while (!isOver) {
      const atMs = performance.now();
      const { rows } = await client.query(`select (pg_current_wal_flush_lsn() - '0/0')::float8 as bytes`);
      seen.push({ bytes: rows[0].bytes, atMs });
      await pause(LOOK_EVERY_MS);
    }
    await client.end();
  })();
  return {
    async stop() {
      isOver = true;
      await looking;
      return seen;
    },
  };
}

/** A time in which what was acknowledged had not come to the standby that was promoted afterwards. */
type Lag = { fromMs: number; killedMs: number; toldBytes: number };

export const drill: Drill = {
  name: 'failover-asynchronous',
  does: 'The same with a standby that no commit waits for, 5 times. For 2 s before the kill nothing reaches it, so there is something to lose: exactly that may be lost, and the primary must have told of it.',
  async run({ scale, say }) {
    const times = Math.max(1, Math.round(5 * scale));
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop);
      const { gate, webs } = installation;
      const lags: Lag[] = [];
      const { loaded, account } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        say,
        async work() {
          for (let time = 1; time <= times; time++) {
            const { primary } = installation;
            const way = await openGate(primary.port);
            shop.atEnd(() => way.close());
            const standby = await makeStandby(shop, primary, {
              name: `standby_${time}`,
              isSynchronous: false,
              port: way.port,
            });
            await pause(scale >= 1 ? 30_000 : 5_000);
            const watched = watchLog(primary);
            await pause(500);
            way.set('lossy');
            await pause(2_000);
            const [told] = await ask<{ bytes: number }>(
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
            gate.leadTo(standby.port);
            const had = seen.findLast(({ bytes }) => bytes <= (received?.bytes ?? 0));
            if (!had) throw new Error('The standby had less than when it was begun to look.');
            lags.push({ fromMs: had.atMs, killedMs, toldBytes: told?.bytes ?? 0 });
            say(
              `promotion ${time} of ${times}, ${seconds(killedMs - had.atMs)} behind, ${count(told?.bytes ?? 0)} bytes`,
            );
            Object.assign(installation, { primary: standby, databaseUrl: standby.url });
            await pause(scale >= 1 ? 20_000 : 10_000);
          }
        },
      });
      const endedMs = new Map(loaded.writes.map((write) => [write.mark, write.endedMs]));
      const isExcused = (mark: string) => {
        const at = endedMs.get(mark) ?? 0;
        // Answers of the last moments arrive when the primary is dead already.
        return lags.some(({ fromMs, killedMs }) => at >= fromMs && at <= killedMs + 1_000);
      };
      const lost = account.lost.filter((mark) => !isExcused(mark));
      const gone = new Set(account.lost);
      const missed = account.missed.filter(({ mark }) => !gone.has(mark));
      const [, ...others] = ledgerFigures({ ...account, lost, missed }, say);
      const longest = Math.max(...lags.map(({ fromMs, killedMs }) => killedMs - fromMs));
      return [
        none('acknowledged writes lost that the standby had', lost.length, account.acknowledged),
        {
          what: `acknowledged writes lost, all acknowledged while the standby was behind (at most ${seconds(longest)})`,
          reached: `${count(account.lost.length - lost.length)} of ${count(account.acknowledged)}`,
          demanded: 'some, or nothing was tested',
          isReached: account.lost.length > lost.length,
        },
        none(
          'promotions before which the primary told of nothing behind (pg_stat_replication)',
          lags.filter(({ toldBytes }) => toldBytes === 0).length,
          times,
        ),
        ...others,
        exitFigure(installation),
        answerFigure(loaded),
      ];
    });
  },
};
