import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { ALIVE_EVERY_MS, type ToWorker, type ToSupervisor } from './messages.ts';
import type { relayMetrics } from './metrics-relay.ts';

/** A worker that misses this many heartbeats in a row is killed. */
const MOST_SILENT = 12;
/** The time for running requests to finish, including the load balancer's. */
const STOP_WITHIN_MS = 28_000;

/** `ready` is called once at most, `end` in any case. */
export type Callbacks = {
  ready(url: string): void;
  end(how: { code: number; signal: string; livedMs: number }): void;
};

/** Starts a process, among `workers` while it lives, and kills it when it is stuck. */
export function launchWorker(
  begin: ToWorker,
  { workers, relay }: { workers: Set<Worker>; relay: ReturnType<typeof relayMetrics> },
  on: Callbacks,
): void {
  const startedAt = performance.now();
  const worker = cluster.fork();
  let silent = 0;
  let check: NodeJS.Timeout | undefined;
  workers.add(worker);
  worker.on('error', () => {}); // a message to an ended process failed; 'exit' follows
  worker.send(begin);
  worker.on('message', (message: ToSupervisor) => {
    if (message.kind === 'alive') silent = 0;
    else if (message.kind !== 'ready') relay(worker, message);
    else {
      check = setInterval(() => {
        silent += 1;
        if (silent > MOST_SILENT) worker.process.kill('SIGKILL');
      }, ALIVE_EVERY_MS).unref();
      on.ready(message.url);
    }
  });
  worker.once('exit', (code, signal) => {
    clearInterval(check);
    workers.delete(worker);
    on.end({ code, signal, livedMs: performance.now() - startedAt });
  });
}

/** Lets running requests finish; a process that takes too long is killed. */
export async function stopWorker(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit');
  worker.send({ kind: 'stop' } satisfies ToWorker);
  const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}
