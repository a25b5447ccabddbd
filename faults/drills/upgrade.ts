import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { count } from '../figures.ts';
import { ROOT } from '../../server/test/process.ts';
import { setUp } from '../topology/installation.ts';
import { checkOutReleaseBefore } from '../topology/release.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, failedFigure, underLoad } from '../under-load.ts';
import { ask } from '../world.ts';

export const drill: Drill = {
  name: 'upgrade',
  does: 'Two web processes behind nginx and a worker run what the product was before its database was last changed, at 100 requests a second. One after another they are replaced by this release, whose start migrates the database under those that remain; then the first is put back to the release before, as an operator does who has second thoughts, and forth again. Both serve side by side for 30 s each time.',
  async run({ scale, say }) {
    const besideMs = Math.max(3_000, 30_000 * scale);
    return await withWorkshop(async (shop) => {
      const before = await checkOutReleaseBefore(shop);
      say('the release before is in its place');
      const installation = await setUp(shop, { hasNginx: true, release: before });
      const { webs, workers, url, databaseUrl } = installation;
      const [first, second] = webs;
      if (!first || !second) throw new Error('There are two.');
      const migrations = async () => (await ask(databaseUrl, 'select name from migrations')).length;
      const had = await migrations();
      let brought = 0;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 100 * Math.min(scale, 1)),
        urls: [url],
        say,
        async work() {
          const replace = async (node: typeof first, release: string) => {
            await node.stop('SIGTERM');
            await node.start(release);
            say(`${node.name} runs ${release === ROOT ? 'this release' : 'the release before'}`);
            await pause(besideMs);
          };
          await replace(first, ROOT);
          brought = (await migrations()) - had;
          await replace(first, before);
          for (const node of [first, second, ...workers]) await replace(node, ROOT);
        },
      });
      return [
        {
          what: 'migrations this release brought',
          reached: count(brought),
          demanded: 'some, or nothing was tested',
          isReached: brought > 0,
        },
        ...figures,
        exitFigure(installation),
        failedFigure('requests through nginx that failed', loaded.attempts, say),
      ];
    });
  },
};
