import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, seconds } from '../figures.ts';
import { slowestRecovery } from '../load.ts';
import { promoteStandby, setUp, unsafeSettings } from '../topology/installation.ts';
import { makeStandby } from '../topology/postgres.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';

export const drill: Drill = {
  name: 'failover',
  description:
    'Kills the primary (kill -9) under load and promotes its synchronous standby, 5 times; the address the processes use then leads to the new primary, as with Patroni or a virtual IP, and a new standby is created.',
  async run({ scale, print }) {
    const times = Math.max(1, Math.round(5 * scale));
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop, { hasStandby: true });
      const { webs } = installation;
      const killedMs: number[] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        print,
        async work() {
          for (let time = 1; time <= times; time++) {
            await pause(scale >= 1 ? 30_000 : 5_000);
            killedMs.push(await promoteStandby(installation));
            print(`promotion ${time} of ${times}`);
            await pause(scale >= 1 ? 20_000 : 10_000);
            const options = { name: `standby_${time}`, isSynchronous: true };
            installation.standby = await makeStandby(workshop, installation.primary, options);
          }
          const unsafe = await unsafeSettings(installation.databaseUrl);
          if (unsafe.length > 0) throw new Error(`the new primary may lose acknowledged writes: ${unsafe.join(', ')}`);
        },
      });
      const afterKillsMs = killedMs.map((moment) => moment + 500);
      const slowest = slowestRecovery(loaded.attempts, afterKillsMs);
      return [
        ...figures,
        exitFigure(installation),
        answerFigure(loaded),
        atMost(
          `longest time from the kill to the first acknowledged write, either process, ${times} promotions`,
          slowest === undefined ? undefined : slowest + 500,
          60_000,
          seconds,
        ),
      ];
    });
  },
};
