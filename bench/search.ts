import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { connectTo } from './connect.ts';
import { startProduct } from '../e2e/product.ts';
import { startLimits } from './limits-process.ts';
import { circumstances, record } from './record.ts';
import { seedCommunity } from './seed.ts';
import { seedWords, vocabulary } from './seed-words.ts';
import { percentile } from './feed-watch.ts';

const POSTS = Number(process.env['BENCH_POSTS'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 60);

const words = vocabulary(5_000);
const ARABIC = ['البلدية', 'الخطة', 'المواطنين', 'المدرسة'];
const JAPANESE = ['窓口', '手続き', '年金', '市役所'];
const pick = (list: string[], n: number) => list[n % list.length] ?? '';
const word = (n: number) => pick(words, n);
/** The search words of round `n`, different each round so that no cache answers. */
const KINDS: Record<string, (n: number) => string> = {
  'a word in nearly every post': (n) => word(n % 3),
  'a word in a quarter of the posts': (n) => word(8 + (n % 8)),
  'a rare word': (n) => `rare${(n * 37) % (POSTS / 10)}`,
  'two frequent words': (n) => `${word(n % 8)} ${word(8 + (n % 20))}`,
  'a frequent and a rare word': (n) => `${word(n % 8)} rare${(n * 41) % (POSTS / 10)}`,
  'two words that rarely occur together': (n) => `${word(3_000 + n)} ${word(4_000 + n)}`,
  'a phrase of frequent words': (n) => `"${word(8 + (n % 8))} ${word(16 + (n % 9))}"`,
  'a word prefix': (n) => word(500 + n).slice(0, 6),
  'a word in Arabic': (n) => pick(ARABIC, n),
  'a word in Japanese': (n) => pick(JAPANESE, n),
  'a word without its last letter': (n) => word(n % 20).slice(0, -1),
  'a word without matches': (n) => `qqxzw${n}jjk`,
};

/** The highest accepted 95th percentile. */
const SLOW_MS = 50;

type Latencies = { name: string; p50: number; p95: number };

/** Latencies in ms of sequential requests. */
async function measureSearch(name: string, urlOf: (n: number) => string, cookie: string): Promise<Latencies> {
  const latencies: number[] = [];
  for (let n = -5; n < ROUNDS; n += 1) {
    const startedAt = performance.now();
    const answer = await fetch(urlOf(Math.abs(n)), { headers: { cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
    if (n >= 0) latencies.push(performance.now() - startedAt); // the first rounds warm up
  }
  latencies.sort((one, other) => one - other);
  return { name, p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) };
}

/** Measures searches among many posts together with the baseline of this machine, and prints the table. */
const product = await startProduct({ DEMO_CONTENT: 'off' });
const closers: (() => Promise<unknown>)[] = [() => product.stop()];
try {
  const { client, databaseUrl, close: disconnect } = await connectTo(product);
  closers.unshift(disconnect);
  const { communityId, viewerId } = await seedCommunity(client, 0);
  await seedWords(client, POSTS);
  const database = openDatabase(databaseUrl, { onError: () => {} });
  closers.unshift(() => database.close());
  const cookie = `session=${await openSession(database.db, { userId: viewerId })}`;

  const limits = await startLimits(databaseUrl, communityId);
  closers.unshift(limits.stop);
  const limit = await measureSearch('(Q) plain Fastify, one prepared query of 30 rows', () => `${limits.url}/q`, '');

  const rows = [limit];
  for (const [name, wordsOf] of Object.entries(KINDS))
    rows.push(
      await measureSearch(
        name,
        (n) => `${product.url}/api/search/results?${new URLSearchParams({ q: wordsOf(n) })}`,
        cookie,
      ),
    );
  const slow = rows
    .slice(1)
    .filter(({ p95 }) => p95 > SLOW_MS)
    .map(({ name }) => name);
  await record(
    'bench:search',
    [
      `${POSTS} posts, ${ROUNDS} sequential searches of each kind, ${circumstances()}.`,
      '',
      '| what | p50 ms | p95 ms | p50 to Q |',
      '|---|---:|---:|---:|',
      ...rows.map(
        ({ name, p50, p95 }) => `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${(p50 / limit.p50).toFixed(1)} |`,
      ),
      '',
      `${slow.length} of ${rows.length - 1} are slower than ${SLOW_MS} ms at the 95th percentile${slow.length > 0 ? `: ${slow.join('; ')}` : ''}.`,
    ].join('\n'),
  );
  if (slow.length > 0) process.exitCode = 1;
} finally {
  for (const close of closers) await close();
}
