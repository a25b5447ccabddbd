import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, seconds } from '../figures.ts';
import { slowestRecovery } from '../load.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';
import { inTurn } from '../measures.ts';

/** Half immediate, a quarter fast, a quarter kill -9 of the postmaster. */
const STOP_MODES = ['immediate', 'fast', 'immediate', 'kill'] as const;

export const drill: Drill = {
  name: 'database-restart',
  description:
    'Restarts PostgreSQL 20 times in 20 minutes while two processes serve 500 requests a second: 10 immediate restarts, 5 fast, 5 by kill -9 of the postmaster; each time it is down for up to 5 s.',
  async run({ scale, print }) {
    const times = Math.max(STOP_MODES.length, Math.round(20 * scale));
    const everyMs = scale >= 1 ? 60_000 : 20_000;
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop);
      const { primary, webs } = installation;
      const acceptedMs: number[] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 500 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        print,
        async work() {
          for (let time = 0; time < times; time++) {
            const startedMs = performance.now();
            const how = inTurn(STOP_MODES)(time);
            await primary.stop(how);
            await pause(Math.random() * 5_000);
            await primary.start();
            acceptedMs.push(performance.now());
            print(`${how} restart ${time + 1} of ${times}`);
            await pause(Math.max(10_000, everyMs - (performance.now() - startedMs)));
          }
        },
      });
      return [
        ...figures,
        exitFigure(installation),
        answerFigure(loaded),
        atMost(
          `longest time from accepting connections to the first acknowledged write, either process, ${times} restarts`,
          slowestRecovery(loaded.attempts, acceptedMs),
          10_000,
          seconds,
        ),
      ];
    });
  },
};
