import { setTimeout as pause } from 'node:timers/promises';
import { atMost, count, ledgerFigures, none, seconds } from './figures.ts';
import { failuresOf, startLoad, type Load, type Loaded } from './load.ts';
import type { Figure } from './drill.ts';
import { settle, type Account } from './read-back.ts';
import type { Installation } from './topology/installation.ts';

/** Until freshly started processes have warmed up. */
const WARM_UP_MS = 30_000;
const CALM_MS = 5_000;

export type UnderLoad = {
  /** Requests a second. */
  perSecond: number;
  /** Base URLs for the load. */
  urls: readonly string[];
  /** The percentage of requests that write. */
  writes?: number;
  print: (line: string) => void;
  /** Injects the faults; the load continues until this resolves. */
  work: (load: Load) => Promise<void>;
};

/** Runs `work` on an installation under load, then compares the ledger with the stored rows. */
export async function underLoad(
  installation: Installation,
  { perSecond, urls, writes, print, work }: UnderLoad,
): Promise<{ loaded: Loaded; account: Account; figures: Figure[] }> {
  const load = startLoad({
    urls,
    fixture: installation.fixture,
    perSecond,
    ...(writes === undefined ? {} : { writes }),
  });
  let loaded: Loaded;
  try {
    await pause(WARM_UP_MS);
    const { all, failed } = failuresOf(load.attempts);
    print(`before the first fault ${count(failed)} of ${count(all)} requests failed`);
    await work(load);
    await pause(CALM_MS);
  } finally {
    loaded = await load.stop();
    await printExits(installation, print);
  }
  const { attempts, skipped } = loaded;
  print(`${count(attempts.length)} requests in ${loaded.seconds.toFixed(0)} s, ${count(loaded.writes.length)} writes`);
  if (skipped > 0) print(`${count(skipped)} requests were skipped: this machine did not keep up`);
  const [url = ''] = urls;
  const account = await settle(loaded, { fixture: installation.fixture, url, databaseUrl: installation.databaseUrl });
  return { loaded, account, figures: ledgerFigures(account, print) };
}

/** A figure for failed requests. Prints their kinds. */
export function failedFigure(what: string, attempts: Loaded['attempts'], print: (line: string) => void): Figure {
  const failed = attempts.filter(({ status }) => status === undefined || status >= 500);
  const kinds = Object.groupBy(failed, ({ method, status, error }) => `${method} ${status ?? error}`);
  for (const [kind, all = []] of Object.entries(kinds)) print(`${kind}: ${count(all.length)}`);
  return none(what, failed.length, attempts.length);
}

/** Prints the last log lines of processes that exited unexpectedly. */
async function printExits({ webs, workers }: Installation, print: (line: string) => void): Promise<void> {
  for (const node of [...webs, ...workers])
    if (node.exits() > 0) print(`${node.name} exited unexpectedly: ${(await node.output()).slice(-3000)}`);
}

/** Processes of the product that exited without being stopped. */
export function exitFigure({ webs, workers }: Pick<Installation, 'webs' | 'workers'>): Figure {
  return none(
    'processes that exited unexpectedly',
    [...webs, ...workers].reduce((sum, node) => sum + node.exits(), 0),
  );
}

/** The slowest failed request: failures must be quick too. */
export function answerFigure({ attempts }: Pick<Loaded, 'attempts'>, mostMs = 3_000): Figure {
  const { all, failed, slowestMs } = failuresOf(attempts);
  return atMost(`slowest answer of ${count(failed)} failed requests of ${count(all)}`, slowestMs, mostMs, seconds);
}
