import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { readConfig } from '#server/config.ts';
import { explain } from './explain.ts';
import { ALIVE_EVERY_MS, type ToWorker, type ToSupervisor } from './messages.ts';
import { type Running, start } from './main.ts';
import { openMetricsRelay } from './metrics-relay.ts';

/** A service manager signals all processes within this time; otherwise somebody signalled this one alone. */
const SIGNALLED_WITHIN_MS = 500;
const CLOSE_WITHIN_MS = 28_000;

// Without a supervisor, this process is about to end too.
const send = (message: ToSupervisor) => void (process.connected && process.send?.(message, undefined, {}, () => {}));

/**
 * A worker process of a supervisor. It ends with the supervisor: Node ends a cluster process without one, even in the
 * middle of work, and its port would be unreachable.
 */
export async function run(): Promise<void> {
  const begun = Promise.withResolvers<Extract<ToWorker, { kind: 'begin' }>>();
  const stopped = Promise.withResolvers<void>();
  let receive: ((message: ToWorker) => void) | undefined; // before `begin` only a stop may arrive, which is remembered
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'begin') begun.resolve(message);
    else if (message.kind === 'stop') stopped.resolve();
    receive?.(message);
  });
  const begin = await begun.promise;
  try {
    const measures = openMetricsRelay(send, async () => await running?.measure());
    let running: Running | undefined;
    const config = { ...readConfig(process.env), role: begin.role };
    const starting = start(config, { ...begin, measureAll: measures.all });
    const closing = closeWithGrace(
      { delay: CLOSE_WITHIN_MS, skip: ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] },
      async ({ err }) => {
        if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
        const stopping = await starting.catch(() => undefined);
        // Signalled alone, it does not drain: the other processes take new connections.
        const isDrained = await Promise.race([stopped.promise.then(() => true), wait(SIGNALLED_WITHIN_MS, false)]);
        await stopping?.stop({ isDrained: isDrained && !err });
      },
    );
    let isClosing = false;
    const close = () => {
      if (!isClosing) closing.close();
      isClosing = true;
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, close);
    void stopped.promise.then(close);
    receive = (message) => {
      if (message.kind === 'measure' || message.kind === 'measured') measures.receive(message);
    };
    running = await starting;
    send({ kind: 'ready', url: running.url });
    setInterval(() => send({ kind: 'alive' }), ALIVE_EVERY_MS).unref();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
