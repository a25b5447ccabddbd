import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { SandboxNode } from './sandbox.ts';

/**
 * Requests `/healthz` ten times a second from the first response until stopped. Returns the latencies in ms, Infinity
 * for failures.
 */
export async function watchHealth(node: Pick<SandboxNode, 'url'>): Promise<{ stop(): Promise<number[]> }> {
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
export function residentMb({ pid }: Pick<SandboxNode, 'pid'>): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
