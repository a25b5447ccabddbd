import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, count, seconds } from '../figures.ts';
import { failuresOf } from '../load.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';

export const drill: Drill = {
  name: 'web-kill',
  does: 'One of two web processes is killed (kill -9) in the middle of requests and started again, 200 times, at 300 requests a second straight to the processes; what was cut off is sent again with the same key.',
  async run({ scale, say }) {
    const times = Math.max(3, Math.round(200 * scale));
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop);
      const { webs } = installation;
      const readyMs: number[] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        say,
        async work() {
          for (let time = 0; time < times; time++) {
            const node = webs[time % webs.length]!; // within the list
            await node.stop('SIGKILL');
            readyMs.push(await node.start());
            if (time % 10 === 0) say(`kill ${time + 1} of ${times}`);
            await pause(500 + Math.random() * 1_500);
          }
        },
      });
      const { unanswered } = failuresOf(loaded.attempts);
      const again = loaded.writes.filter(({ attempts }) => attempts > 1).length;
      say(`${count(unanswered)} requests were cut off or found nobody; ${count(again)} writes were sent again`);
      readyMs.sort((a, b) => a - b);
      return [
        ...figures,
        exitFigure(installation),
        {
          what: 'writes that were cut off and sent again with their key',
          reached: count(again),
          demanded: 'some, or nothing was tested',
          isReached: again > 0,
        },
        atMost(`restart to ready, the slowest of ${times}`, readyMs.at(-1), 5_000, seconds),
      ];
    });
  },
};
