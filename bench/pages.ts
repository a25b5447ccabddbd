import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPageCounter } from '../e2e/page-statements.ts';
import { cpuOf, cpuSince, processTree } from './cpu.ts';
import { databasePids, type Machine } from './measure.ts';
import { type Sender, withReaders } from './mix.ts';
import { runMix } from './mix-load.ts';
import { circumstances, record } from './record.ts';

/** Measured pages of one kind: two rounds over all places, after a first one that fills the caches. */
const ROUNDS = 2;

type KindCosts = { kind: string; serverMs: number; databaseMs: number; statements: number; trips: number };

/** Measures pages for readers in different places: one kind after the other, then mixed at rising rates. */
export async function measurePages(machine: Machine, databaseUrl: string): Promise<void> {
  const sender = await withReaders(machine, databaseUrl);
  const kinds: KindCosts[] = [];
  for (const kind of sender.kinds) kinds.push(await costsOf(kind, sender, machine, databaseUrl));
  const readers = `${sender.places} communities, threads and readers, all different, ${circumstances()}.`;
  await record('bench:pages', [readers, await runMix(sender, machine), tableOfKinds(kinds)].join('\n\n'));
}

async function costsOf(kind: string, sender: Sender, machine: Machine, databaseUrl: string): Promise<KindCosts> {
  for (let n = 0; n < sender.places; n += 1) await sender.page(kind, n);
  const server = cpuOf(processTree(machine.pid));
  const database = cpuOf(await databasePids(machine.client));
  const pages = ROUNDS * sender.places;
  for (let n = 0; n < pages; n += 1) await sender.page(kind, n);
  const serverMs = (cpuSince(server, processTree(machine.pid)) * 1000) / pages;
  const databaseMs = (cpuSince(database, await databasePids(machine.client)) * 1000) / pages;
  return { kind, serverMs, databaseMs, ...(await statementsOf(kind, sender, databaseUrl)) };
}

/** The most statements that a page of this kind needs for any reader, in a process of its own. */
async function statementsOf(kind: string, sender: Sender, databaseUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'officium-bench-'));
  const counter = await openPageCounter(databaseUrl, dataDir);
  try {
    const found = { statements: 0, trips: 0 };
    for (const round of ['first', 'counted'])
      for (let n = 0; n < sender.places; n += 1) {
        const { texts, trips } = await counter.count(sender.pathOf(kind, n), sender.cookieOf(kind, n));
        if (round === 'first') continue;
        found.statements = Math.max(found.statements, texts.length);
        found.trips = Math.max(found.trips, trips);
      }
    return found;
  } finally {
    await counter.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function tableOfKinds(kinds: KindCosts[]): string {
  return [
    '| page | server CPU ms | database CPU ms | statements after the session | round trips |',
    '|---|---:|---:|---:|---:|',
    ...kinds.map(
      ({ kind, serverMs, databaseMs, statements, trips }) =>
        `| ${kind} | ${serverMs.toFixed(1)} | ${databaseMs.toFixed(1)} | ${statements} | ${trips} |`,
    ),
  ].join('\n');
}
