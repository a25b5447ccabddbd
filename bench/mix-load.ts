import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf, cpuSince, processTree, residentMb } from './cpu.ts';
import { percentile } from './feed-watch.ts';
import { databasePids, type Machine, SECONDS } from './measure.ts';
import type { Sender } from './mix.ts';

const RATES = [20, 40, 60, 80, 100, 140, 180, 240];
const SECONDS_PER_RATE = Math.min(8, SECONDS);
/** The rates end when the slowest twentieth waits this long. */
const TOO_SLOW_MS = 1_000;

/**
 * Sends the mix at rising rates. Requests leave on time whether or not earlier ones were answered, and their time counts
 * from then, so a product that falls behind shows it.
 */
export async function runMix(sender: Sender, machine: Machine): Promise<string> {
  const lines: string[] = [];
  let n = 0;
  for (const rate of RATES) {
    const amount = rate * SECONDS_PER_RATE;
    const server = cpuOf(processTree(machine.pid));
    const database = cpuOf(await databasePids(machine.client));
    const { times, failed } = await sendAtRate(sender, { rate, amount, from: n });
    n += amount;
    const family = processTree(machine.pid);
    const serverMs = (cpuSince(server, family) * 1000) / amount;
    const databaseMs = (cpuSince(database, await databasePids(machine.client)) * 1000) / amount;
    const p95 = percentile(times, 0.95);
    const cells = [rate, percentile(times, 0.5).toFixed(0), p95.toFixed(0), serverMs.toFixed(1), databaseMs.toFixed(1)];
    lines.push(`| ${[...cells, residentMb(family).toFixed(0), failed].join(' | ')} |`);
    if (p95 > TOO_SLOW_MS) break;
  }
  return [
    '| requests per second | p50 ms | p95 ms | server CPU ms | database CPU ms | memory MB | failed |',
    '|---:|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}

async function sendAtRate(sender: Sender, { rate, amount, from }: { rate: number; amount: number; from: number }) {
  const startedAt = performance.now();
  const times: number[] = [];
  let failed = 0;
  const sent: Promise<void>[] = [];
  for (let n = 0; n < amount; n += 1) {
    const dueAt = startedAt + (n * 1000) / rate;
    if (dueAt > performance.now()) await pause(dueAt - performance.now());
    sent.push(
      sender.mixed(from + n).then(
        () => void times.push(performance.now() - dueAt),
        () => void (failed += 1),
      ),
    );
  }
  await Promise.all(sent);
  return { times: times.sort((one, other) => one - other), failed };
}
