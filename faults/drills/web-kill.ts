import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, count, seconds } from '../figures.ts';
import { failuresOf } from '../load.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';
import { inTurn } from '../measures.ts';

export const drill: Drill = {
  name: 'web-kill',
  description:
    'Kills one of two web processes (kill -9) in the middle of requests and restarts it, 200 times, at 300 requests a second sent directly to the processes; interrupted writes are retried with the same key.',
  async run({ scale, print }) {
    const times = Math.max(3, Math.round(200 * scale));
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop);
      const { webs } = installation;
      const readyMs: number[] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        print,
        async work() {
          for (let time = 0; time < times; time++) {
            const node = inTurn(webs)(time);
            await node.stop('SIGKILL');
            readyMs.push(await node.start());
            if (time % 10 === 0) print(`kill ${time + 1} of ${times}`);
            await pause(500 + Math.random() * 1_500);
          }
        },
      });
      const { unanswered } = failuresOf(loaded.attempts);
      const again = loaded.writes.filter(({ attempts }) => attempts > 1).length;
      print(
        `${count(unanswered)} requests were interrupted or refused a connection; ${count(again)} writes were retried`,
      );
      readyMs.sort((a, b) => a - b);
      return [
        ...figures,
        exitFigure(installation),
        {
          what: 'interrupted writes that were retried with their key',
          result: count(again),
          target: 'some, otherwise nothing was tested',
          isMet: again > 0,
        },
        atMost(`restart to ready, slowest of ${times}`, readyMs.at(-1), 5_000, seconds),
      ];
    });
  },
};
