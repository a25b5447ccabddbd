import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { count } from '../figures.ts';
import { ROOT } from '../../server/test/process.ts';
import { setUp } from '../topology/installation.ts';
import { checkOutReleaseBefore } from '../topology/release.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, failedFigure, underLoad } from '../under-load.ts';
import { ask } from '../fixture.ts';

export const drill: Drill = {
  name: 'upgrade',
  description:
    'Two web processes behind nginx and a worker run the release before the last migration, at 100 requests a second. They are replaced one by one by this release, whose start migrates the database under the rest; then the first is rolled back to the previous release and upgraded again. Both releases serve side by side for 30 s each time.',
  async run({ scale, print }) {
    const besideMs = Math.max(3_000, 30_000 * scale);
    return await withWorkshop(async (workshop) => {
      const before = await checkOutReleaseBefore(workshop);
      print('the previous release is unpacked');
      const installation = await setUp(workshop, { hasNginx: true, release: before });
      const { webs, workers, url, databaseUrl } = installation;
      const [first, second] = webs;
      if (!first || !second) throw new Error('the installation has fewer than two web processes');
      const migrations = async () => (await ask(databaseUrl, 'select name from migrations')).length;
      const had = await migrations();
      let brought = 0;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 100 * Math.min(scale, 1)),
        urls: [url],
        print,
        async work() {
          const replace = async (node: typeof first, release: string) => {
            await node.stop('SIGTERM');
            await node.start(release);
            print(`${node.name} runs ${release === ROOT ? 'this release' : 'the previous release'}`);
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
          what: 'migrations in this release',
          result: count(brought),
          target: 'some, otherwise nothing was tested',
          isMet: brought > 0,
        },
        ...figures,
        exitFigure(installation),
        failedFigure('requests through nginx that failed', loaded.attempts, print),
      ];
    });
  },
};
