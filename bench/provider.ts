import { setTimeout as pause } from 'node:timers/promises';
import { loadavg } from 'node:os';
import { askLesson } from '../contract/ai.ts';
import { mountedPath } from '../contract/endpoint.ts';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { FAULTS, type Respond, saysJson, startModelProvider } from '../server/test/model-provider.ts';
import { connectTo } from './connect.ts';
import { startProduct } from '../e2e/product.ts';
import { percentile, watchFeed } from './feed-watch.ts';

const PEOPLE = Number(process.env['BENCH_PEOPLE'] ?? 100);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 15);
const PAUSE_MS = 10_000;
/** A valid reply without content, after which the product shows passages. */
const NOTHING = saysJson({ elements: [] });
const LESSON = { courseSlug: 'plain-language', journeySlug: 'write-to-be-understood', lessonSlug: 'who-is-reading' };

/**
 * Makes a language model fail in each way it can while people ask the assistant, two concurrent questions each, and
 * others read a feed, all on this machine. Reports the feed latencies and the longest question.
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
  const { rows: viewers } = await client.query<{ id: string }>(
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
  const viewer = await cookieOf(viewers[0]!.id); // from the demo
  const askers = await Promise.all(people.map(({ id }) => cookieOf(id)));
  const feed = `${product.url}/api/community/communities/plain-words/activities`;
  const questions = `${product.url}${mountedPath(askLesson)}`;

  let longest = 0;
  let asked = 0;
  /** Asks a question every ten seconds until stopped. Throws when one is not answered. */
  async function askRepeatedly(cookie: string, isStopped: () => boolean): Promise<void> {
    await pause(Math.random() * PAUSE_MS);
    while (!isStopped()) {
      const startedAt = performance.now();
      const answer = await fetch(questions, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ ...LESSON, query: 'Who will read my letter?' }),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`a question responded ${answer.status}`);
      asked += 1;
      longest = Math.max(longest, performance.now() - startedAt);
      await pause(PAUSE_MS);
    }
  }

  const watch = async () => {
    const watched = watchFeed(feed, viewer);
    await pause(SECONDS * 1000);
    return await watched.stop();
  };
  /** Feed latencies while people ask and the model responds this way. */
  async function during(respond: Respond): Promise<number[]> {
    model.answer(respond);
    [longest, asked] = [0, 0];
    let isStopped = false;
    const running = askers.flatMap((cookie) => [
      askRepeatedly(cookie, () => isStopped),
      askRepeatedly(cookie, () => isStopped),
    ]);
    await pause(PAUSE_MS);
    const latencies = await watch();
    isStopped = true;
    await Promise.all(running);
    return latencies;
  }
  const line = (name: string, latencies: number[], baseline: number[]) =>
    `| ${name} | ${percentile(latencies, 0.5).toFixed(1)} | ${percentile(latencies, 0.95).toFixed(1)} | ${(percentile(latencies, 0.95) / percentile(baseline, 0.95)).toFixed(2)} | ${asked} | ${(longest / 1000).toFixed(1)} |`;

  await during(NOTHING); // warms up
  const baseline = await during(NOTHING);
  const lines = [
    `${PEOPLE} people, two questions each at once, every ${PAUSE_MS / 1000} s; load ${loadavg()[0]?.toFixed(1)} at the start`,
    '',
    '| the model | feed p50 ms | feed p95 ms | p95 to usual | questions | longest s |',
    '|---|---:|---:|---:|---:|---:|',
    line('answers', baseline, baseline),
  ];
  for (const [name, fault] of Object.entries(FAULTS)) lines.push(line(name, await during(fault), baseline));
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  for (const close of closers) await close();
}
