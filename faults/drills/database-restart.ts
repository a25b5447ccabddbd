import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, seconds } from '../figures.ts';
import { firstOkAfter } from '../load.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';

/** Half of them immediate, a quarter fast, a quarter kill -9 of the postmaster. */
const WAYS = ['immediate', 'fast', 'immediate', 'kill'] as const;

export const drill: Drill = {
  name: 'database-restart',
  does: 'PostgreSQL is restarted 20 times in 20 minutes while two processes serve 500 requests a second: 10 times immediately, 5 times fast, 5 times by kill -9 of the postmaster; each time it is away for up to 5 s.',
  async run({ scale, say }) {
    const times = Math.max(WAYS.length, Math.round(20 * scale));
    const everyMs = scale >= 1 ? 60_000 : 20_000;
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop);
      const { primary, webs } = installation;
      const acceptedMs: number[] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 500 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        say,
        async work() {
          for (let time = 0; time < times; time++) {
            const begunMs = performance.now();
            const how = WAYS[time % WAYS.length]!; // within the list
            await primary.stop(how);
            await pause(Math.random() * 5_000);
            await primary.start();
            acceptedMs.push(performance.now());
            say(`${how} restart ${time + 1} of ${times}`);
            await pause(Math.max(10_000, everyMs - (performance.now() - begunMs)));
          }
        },
      });
      const recoveries = acceptedMs.map((moment) => firstOkAfter(loaded.attempts, moment));
      const slowest = recoveries.some((one) => one === undefined)
        ? undefined
        : Math.max(...recoveries.map((one) => one ?? 0));
      return [
        ...figures,
        exitFigure(installation),
        answerFigure(loaded),
        atMost(
          `longest time from accepting to the first acknowledged write, of either process, in ${times} restarts`,
          slowest,
          10_000,
          seconds,
        ),
      ];
    });
  },
};
