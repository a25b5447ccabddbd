import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../drill.ts';
import { atMost, none, seconds } from '../figures.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, failedFigure, underLoad } from '../under-load.ts';
import { inTurn } from '../measures.ts';

/** Sends the body of a post in pieces over ten seconds. Returns the status or the error. */
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
  description:
    'Restarts two web processes behind nginx (deploy/nginx.conf) in turn by SIGTERM, 50 times, at 500 requests a second and during ten-second uploads. nginx buffers slow bodies, so the uploads also go directly to the process that stops.',
  async run({ scale, print }) {
    const times = Math.max(2, Math.round(50 * scale));
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop, { hasNginx: true });
      const { webs, fixture, url } = installation;
      const stopMs: number[] = [];
      const uploads: (number | string)[] = [];
      const [person] = fixture.people;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 500 * Math.min(scale, 1)),
        urls: [url],
        print,
        async work() {
          // Outside the ledger: an existing post, edited by its author.
          const post = `/api/community/communities/${fixture.wall.slug}/activities/${fixture.wall.posts.at(-1)}`;
          const author = fixture.people[fixture.wall.posts.length % fixture.people.length] ?? person;
          for (let time = 0; time < times; time++) {
            const node = inTurn(webs)(time);
            const sent = [node.url, url].map((to) => sendSlowly(to, post, author?.cookie ?? ''));
            await pause(1_000);
            stopMs.push(await node.stop('SIGTERM'));
            await node.start();
            uploads.push(...(await Promise.all(sent)));
            print(`restart ${time + 1} of ${times}`);
            await pause(2_000);
          }
        },
      });
      const cut = uploads.filter((answer) => answer !== 200);
      for (const answer of new Set(cut)) print(`an upload ended with ${answer}`);
      return [
        ...figures,
        exitFigure(installation),
        failedFigure('requests through nginx that failed', loaded.attempts, print),
        none('ten-second uploads that failed', cut.length, uploads.length),
        atMost(`SIGTERM to exit, slowest of ${times}`, Math.max(...stopMs), 30_000, seconds),
      ];
    });
  },
};
