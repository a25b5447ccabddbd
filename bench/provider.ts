import { loadavg } from 'node:os';
import { askLesson } from '../contract/ai.ts';
import { mountedPath } from '../contract/endpoint.ts';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { FAULTS, type Respond, saysJson, startModelProvider } from '../server/test/model-provider.ts';
import { connectTo } from './connect.ts';
import { startProduct } from '../e2e/product.ts';
import { at, pause, watchFeed } from './feed-watch.ts';

const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 100);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 15);
const PAUSE_MS = 10_000;
/** A whole answer that says nothing, so that passages are shown. */
const NOTHING = saysJson({ elements: [] });
const LESSON = { courseSlug: 'plain-language', journeySlug: 'write-to-be-understood', lessonSlug: 'who-is-reading' };

/**
 * Lets a language model fail in each way it can while people ask the assistant, two questions each at once, and others
 * read a feed, all on this machine: what the readers notice, and how long the longest question waits.
 */
const model = await startModelProvider();
const product = await startProduct({
  AI_PROVIDER: 'openai-compatible',
  AI_BASE_URL: model.baseUrl,
  AI_API_KEY: 'sk-bench',
  AI_MODEL_FAST: 'small',
  AI_MODEL_PRO: 'large',
  AI_TOKENS_A_PERSON: '100000000',
  AI_TOKENS_A_DAY: '10000000000',
});
const closers: (() => Promise<unknown>)[] = [() => product.stop(), () => model.close()];
try {
  const { client, databaseUrl, close: disconnect } = await connectTo(product);
  closers.unshift(disconnect);
  const { rows: readers } = await client.query<{ id: string }>(
    `select id from users where email = 'learner@example.gov'`,
  );
  const { rows: people } = await client.query<{ id: string }>(
    `insert into users (id, name, email, email_proven_at, role)
     select new_id(), 'Asker', 'asker-' || n || '@example.gov', now(), 'public-servant' from generate_series(1, $1::int) n
     returning id`,
    [PEOPLE],
  );
  const database = openDatabase(databaseUrl, { onError: () => {} });
  closers.unshift(() => database.close());
  const cookieOf = async (userId: string) => `session=${await openSession(database.db, { userId })}`;
  const reader = await cookieOf(readers[0]!.id); // of the demo content
  const askers = await Promise.all(people.map(({ id }) => cookieOf(id)));
  const feed = `${product.url}/api/community/communities/plain-words/activities`;
  const questions = `${product.url}${mountedPath(askLesson)}`;

  let longest = 0;
  let asked = 0;
  /** Asks a question every ten seconds until it is told to stop; every one must be answered. */
  async function ask(cookie: string, isOver: () => boolean): Promise<void> {
    await pause(Math.random() * PAUSE_MS);
    while (!isOver()) {
      const begun = performance.now();
      const answer = await fetch(questions, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ ...LESSON, query: 'Who will read my letter?' }),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`a question was answered ${answer.status}`);
      asked += 1;
      longest = Math.max(longest, performance.now() - begun);
      await pause(PAUSE_MS);
    }
  }

  const watch = async () => {
    const watched = watchFeed(feed, reader);
    await pause(SECONDS * 1000);
    return await watched.stop();
  };
  /** What readers notice while people ask and the model answers so. */
  async function during(respond: Respond): Promise<number[]> {
    model.answer(respond);
    [longest, asked] = [0, 0];
    let isOver = false;
    const asking = askers.flatMap((cookie) => [ask(cookie, () => isOver), ask(cookie, () => isOver)]);
    await pause(PAUSE_MS);
    const waits = await watch();
    isOver = true;
    await Promise.all(asking);
    return waits;
  }
  const line = (name: string, waits: number[], usual: number[]) =>
    `| ${name} | ${at(waits, 0.5).toFixed(1)} | ${at(waits, 0.95).toFixed(1)} | ${(at(waits, 0.95) / at(usual, 0.95)).toFixed(2)} | ${asked} | ${(longest / 1000).toFixed(1)} |`;

  await during(NOTHING); // warms up
  const usual = await during(NOTHING);
  const lines = [
    `${PEOPLE} people, two questions each at once, every ${PAUSE_MS / 1000} s; load ${loadavg()[0]?.toFixed(1)} when it began`,
    '',
    '| the model | feed p50 ms | feed p95 ms | p95 to usual | questions | longest s |',
    '|---|---:|---:|---:|---:|---:|',
    line('answers', usual, usual),
  ];
  for (const [name, fault] of Object.entries(FAULTS)) lines.push(line(name, await during(fault), usual));
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  for (const close of closers) await close();
}
