import lighthouse, { type Result } from 'lighthouse';
import { launchBrowser } from './browser.ts';
import { freePort, startProduct } from './product.ts';

/** Required scores of public pages, out of 100. */
const NEEDED = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
const RUNS = Number(process.env['LIGHTHOUSE_RUNS'] ?? 5);
const COMMUNITY = '/communities/plain-words';

type Category = keyof typeof NEEDED;
const CATEGORIES = Object.keys(NEEDED) as Category[]; // exactly its keys
const TIMES = { LCP: 'largest-contentful-paint', TBT: 'total-blocking-time', CLS: 'cumulative-layout-shift' } as const;

type Page = { path: string; scores: Record<Category, number>; times: string[]; complaints: string[] };

/** One public page of each kind. */
async function findPages(url: string): Promise<string[]> {
  const get = async (path: string) => await (await fetch(url + path)).json();
  const { results } = await get(`/api/community${COMMUNITY}/activities?limit=100`);
  const thread = results.find((one: { reaction_counts: { reply: number } }) => one.reaction_counts.reply > 2);
  const { articles } = await get('/api/content/articles');
  return [
    '/',
    '/courses/plain-language',
    '/courses/plain-language/write-to-be-understood/who-is-reading',
    COMMUNITY,
    `${COMMUNITY}/activities/${thread.id}`,
    `/articles/${articles[0].slug}`,
  ];
}

async function measure(url: string, path: string, port: number): Promise<Page> {
  const reports: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const report = await lighthouse(url + path, { port, onlyCategories: CATEGORIES, logLevel: 'error' });
    if (!report) throw new Error(`Lighthouse has no report for ${path}`);
    reports.push(report.lhr);
  }
  const scoreOf = (category: Category) =>
    median(reports.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100)));
  const timeOf = (audit: string) => median(reports.map(({ audits }) => audits[audit]?.numericValue ?? 0));
  return {
    path,
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, scoreOf(category)])) as Page['scores'], // has all categories
    times: [
      `${(timeOf(TIMES.LCP) / 1000).toFixed(1)} s`,
      `${Math.round(timeOf(TIMES.TBT))} ms`,
      timeOf(TIMES.CLS).toFixed(3),
    ],
    complaints: complaintsOf(reports),
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Audits below 0.9 that cost points in any run. */
function complaintsOf(reports: Result[]): string[] {
  const complaints = reports.flatMap(({ categories, audits }) =>
    CATEGORIES.flatMap((category) =>
      (categories[category]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${category}: ${audits[id]?.title ?? id} ${audits[id]?.displayValue ?? ''}`.trim()),
    ),
  );
  return [...new Set(complaints)];
}

function print(pages: Page[]): void {
  const rows = pages.map(({ path, scores, times }) => [
    ...CATEGORIES.map((name) => String(scores[name])),
    ...times,
    path,
  ]);
  const table = [[...CATEGORIES, ...Object.keys(TIMES), 'page'], ...rows];
  for (const row of table) console.log(row.map((cell, column) => cell.padEnd(column < 4 ? 15 : 8)).join(' '));
}

const product = await startProduct();
const port = await freePort();
const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
try {
  const pages: Page[] = [];
  for (const path of await findPages(product.url)) pages.push(await measure(product.url, path, port));
  console.log(`Lighthouse, mobile, median of ${RUNS}`);
  print(pages);
  const short = pages.filter(({ scores }) => CATEGORIES.some((category) => scores[category] < NEEDED[category]));
  for (const { path, complaints } of short) console.log(`\n${path}\n  ${complaints.join('\n  ')}`);
  process.exitCode = short.length ? 1 : 0;
} finally {
  await browser.close();
  await product.stop();
}
