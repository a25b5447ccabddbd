import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Node } from './installation.ts';

/** Asks `/healthz` ten times a second until stopped, from its first answer on; answers how long each took in ms, Infinity for no good answer. */
export async function watchHealth(node: Pick<Node, 'url'>): Promise<{ stop(): Promise<number[]> }> {
  const waits: number[] = [];
  const probe = new Worker(new URL('probe.ts', import.meta.url), { workerData: { url: `${node.url}/healthz` } });
  probe.on('message', (wait: number) => waits.push(wait));
  await once(probe, 'message');
  return {
    async stop() {
      await probe.terminate();
      return waits;
    },
  };
}

/** Resident memory of a process in MB (Linux). */
export function residentMb({ pid }: Pick<Node, 'pid'>): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
