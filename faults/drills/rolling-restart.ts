import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, none, seconds } from '../figures.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, failedFigure, underLoad } from '../under-load.ts';

/** A body of a post, sent in pieces over ten seconds; answers the status, or what was wrong. */
async function sendSlowly(url: string, path: string, cookie: string): Promise<number | string> {
  const body = JSON.stringify({
    title: createHash('md5').update(randomBytes(8)).digest('hex'),
    body: 'x'.repeat(50_000),
  });
  return await new Promise((resolve) => {
    const sending = request(
      new URL(path, url),
      {
        method: 'PUT',
        headers: {
          cookie: `session=${cookie}`,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (reply) => {
        reply.resume();
        reply.on('end', () => resolve(reply.statusCode ?? 'no status'));
      },
    );
    sending.on('error', (error) => resolve(error.message));
    const step = Math.ceil(body.length / 10);
    const send = (from: number) => {
      if (from >= body.length) return void sending.end();
      sending.write(body.slice(from, from + step));
      setTimeout(() => send(from + step), 1_000);
    };
    send(0);
  });
}

export const drill: Drill = {
  name: 'rolling-restart',
  does: 'Two web processes behind nginx (deploy/nginx.conf) are stopped by SIGTERM and started again in turn, 50 times, at 500 requests a second and with uploads of ten seconds under way. nginx waits for slow bodies, so the uploads also go straight to the process that is being stopped.',
  async run({ scale, say }) {
    const times = Math.max(2, Math.round(50 * scale));
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop, { hasNginx: true });
      const { webs, world, url } = installation;
      const stopMs: number[] = [];
      const uploads: (number | string)[] = [];
      const [person] = world.people;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 500 * Math.min(scale, 1)),
        urls: [url],
        say,
        async work() {
          // Not of the ledger: a post of the wall, edited by the one who wrote it.
          const post = `/api/community/communities/${world.wall.slug}/activities/${world.wall.posts.at(-1)}`;
          const author = world.people[world.wall.posts.length % world.people.length] ?? person;
          for (let time = 0; time < times; time++) {
            const node = webs[time % webs.length]!; // within the list
            const sent = [node.url, url].map((to) => sendSlowly(to, post, author?.cookie ?? ''));
            await pause(1_000);
            stopMs.push(await node.stop('SIGTERM'));
            await node.start();
            uploads.push(...(await Promise.all(sent)));
            say(`restart ${time + 1} of ${times}`);
            await pause(2_000);
          }
        },
      });
      const cut = uploads.filter((answer) => answer !== 200);
      for (const answer of new Set(cut)) say(`an upload was answered ${answer}`);
      return [
        ...figures,
        exitFigure(installation),
        failedFigure('requests through nginx that failed', loaded.attempts, say),
        none('uploads of ten seconds that failed', cut.length, uploads.length),
        atMost(`SIGTERM to exit, the slowest of ${times}`, Math.max(...stopMs), 30_000, seconds),
      ];
    });
  },
};
