import type { Drill } from '../drill.ts';
import { none } from '../figures.ts';
import { readSchema } from '../../server/db/schema-files.ts';
import { makePostgres } from '../topology/postgres.ts';
import { makeNode } from '../topology/node.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { ask } from '../fixture.ts';

const NODES = 5;

export const drill: Drill = {
  name: 'boot-race',
  description:
    'Five processes start at once on one empty database and one empty data folder, 20 times: one migrates, the others wait.',
  async run({ scale, print }) {
    const times = Math.max(2, Math.round(20 * scale));
    const { migrations } = await readSchema();
    return await withWorkshop(async (workshop) => {
      const server = await makePostgres(workshop, { name: 'primary' });
      let notReady = 0;
      let twice = 0;
      let missing = 0;
      for (let time = 1; time <= times; time++) {
        const database = `boot_${time}`;
        await ask(server.url, `create database ${database}`);
        const url = server.url.replace(/[^/]*$/, database);
        const settings = { DATABASE_URL: url, DATA_DIR: `${workshop.folder}/${database}` };
        const nodes = await Promise.all(
          Array.from(
            { length: NODES },
            async (_, at) => await makeNode(workshop, { name: `${database}-${at}`, role: 'all', settings }),
          ),
        );
        const started = await Promise.allSettled(nodes.map((node) => node.start()));
        for (const one of started) {
          if (one.status === 'fulfilled') continue;
          notReady += 1;
          print(String(one.reason));
        }
        // Each process prints the migrations it ran.
        const ran = (await Promise.all(nodes.map((node) => node.output()))).flatMap(
          (text) => text.match(/^migrating .*/gm) ?? [],
        );
        twice += ran.length - new Set(ran).size;
        const [row] = await ask<{ applied: number }>(url, 'select count(*)::int as applied from migrations');
        missing += migrations.length - (row?.applied ?? 0) + (migrations.length - new Set(ran).size);
        await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
        print(`start ${time} of ${times}`);
      }
      return [
        none('processes that did not become ready', notReady, times * NODES),
        none('migrations that ran twice', twice, times * migrations.length),
        none('migrations that did not run', missing, times * migrations.length),
      ];
    });
  },
};
