import { setTimeout as pause } from 'node:timers/promises';
import { atMost, count, ledgerFigures, none, seconds } from './figures.ts';
import { failuresOf, startLoad, type Load, type Loaded } from './load.ts';
import type { Reached } from './drill.ts';
import { settle, type Account } from './read-back.ts';
import type { Installation } from './topology/installation.ts';

/** Until processes that were just started have compiled what they run. */
const WARM_UP_MS = 30_000;
const CALM_MS = 5_000;

export type UnderLoad = {
  /** Requests a second. */
  perSecond: number;
  /** The addresses the load goes to. */
  urls: readonly string[];
  /** Of a hundred requests, how many write. */
  writes?: number;
  say: (line: string) => void;
  /** What is done to the product meanwhile; the load goes on until it is over. */
  work: (load: Load) => Promise<void>;
};

/** Does something to an installation while people write to it, and then holds the ledger against what is there. */
export async function underLoad(
  installation: Installation,
  { perSecond, urls, writes, say, work }: UnderLoad,
): Promise<{ loaded: Loaded; account: Account; figures: Reached[] }> {
  const load = startLoad({ urls, world: installation.world, perSecond, ...(writes === undefined ? {} : { writes }) });
  let loaded: Loaded;
  try {
    await pause(WARM_UP_MS);
    const { all, failed } = failuresOf(load.attempts);
    say(`before the first fault ${count(failed)} of ${count(all)} requests failed`);
    await work(load);
    await pause(CALM_MS);
  } finally {
    loaded = await load.stop();
    await tellExits(installation, say);
  }
  const { attempts, heldBack } = loaded;
  say(`${count(attempts.length)} requests in ${loaded.seconds.toFixed(0)} s, ${count(loaded.writes.length)} writes`);
  if (heldBack > 0) say(`${count(heldBack)} requests were not begun in time: this machine did not keep up`);
  const [url = ''] = urls;
  const account = await settle(loaded, { world: installation.world, url, databaseUrl: installation.databaseUrl });
  return { loaded, account, figures: ledgerFigures(account, say) };
}

/** The requests that got no success, told by kind; the figure that there are none. */
export function failedFigure(what: string, attempts: Loaded['attempts'], say: (line: string) => void): Reached {
  const failed = attempts.filter(({ status }) => status === undefined || status >= 500);
  const kinds = Object.groupBy(failed, ({ method, status, error }) => `${method} ${status ?? error}`);
  for (const [kind, all = []] of Object.entries(kinds)) say(`${kind}: ${count(all.length)}`);
  return none(what, failed.length, attempts.length);
}

/** The last words of processes that ended by themselves. */
async function tellExits({ webs, workers }: Installation, say: (line: string) => void): Promise<void> {
  for (const node of [...webs, ...workers])
    if (node.exits() > 0) say(`${node.name} ended by itself: ${(await node.said()).slice(-3000)}`);
}

/** Processes of the product that ended without having been told to. */
export function exitFigure({ webs, workers }: Pick<Installation, 'webs' | 'workers'>): Reached {
  return none(
    'processes that ended by themselves',
    [...webs, ...workers].reduce((sum, node) => sum + node.exits(), 0),
  );
}

/** How those were answered who got no success: soon, with a status. */
export function answerFigure({ attempts }: Pick<Loaded, 'attempts'>, mostMs = 3_000): Reached {
  const { all, failed, slowestMs } = failuresOf(attempts);
  return atMost(`slowest answer of ${count(failed)} failed requests of ${count(all)}`, slowestMs, mostMs, seconds);
}
