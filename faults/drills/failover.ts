import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, seconds } from '../figures.ts';
import { firstOkAfter } from '../load.ts';
import { promoteStandby, setUp, unsafeSettings } from '../topology/installation.ts';
import { makeStandby } from '../topology/postgres.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';

export const drill: Drill = {
  name: 'failover',
  does: 'The primary is killed (kill -9) under load and its synchronous standby promoted, 5 times; the address the processes know is led to the new primary, as Patroni or a virtual address does, and another standby is made.',
  async run({ scale, say }) {
    const times = Math.max(1, Math.round(5 * scale));
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop, { hasStandby: true });
      const { webs } = installation;
      const killedMs: number[] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        say,
        async work() {
          for (let time = 1; time <= times; time++) {
            await pause(scale >= 1 ? 30_000 : 5_000);
            killedMs.push(await promoteStandby(installation));
            say(`promotion ${time} of ${times}`);
            await pause(scale >= 1 ? 20_000 : 10_000);
            const options = { name: `standby_${time}`, isSynchronous: true };
            installation.standby = await makeStandby(shop, installation.primary, options);
          }
          const unsafe = await unsafeSettings(installation.databaseUrl);
          if (unsafe.length > 0) throw new Error(`The new primary may lose what it acknowledged: ${unsafe.join(', ')}`);
        },
      });
      const recoveries = killedMs.map((moment) => firstOkAfter(loaded.attempts, moment + 500));
      const slowest = recoveries.some((one) => one === undefined)
        ? undefined
        : Math.max(...recoveries.map((one) => (one ?? 0) + 500));
      return [
        ...figures,
        exitFigure(installation),
        answerFigure(loaded),
        atMost(
          `longest time from the kill to the first acknowledged write, of either process, in ${times} promotions`,
          slowest,
          60_000,
          seconds,
        ),
      ];
    });
  },
};
