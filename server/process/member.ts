import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { readConfig } from '#server/config.ts';
import { explain } from './explain.ts';
import { ALIVE_EVERY_MS, type ToMember, type ToSupervisor } from './family.ts';
import { type Running, start } from './main.ts';
import { askMeasures } from './measures.ts';

/** A service manager tells all processes to stop; a person may have told this one alone. */
const TOLD_WITHIN_MS = 500;
const CLOSE_WITHIN_MS = 28_000;

// The supervisor may be gone; then this process is about to end too.
const send = (message: ToSupervisor) => void (process.connected && process.send?.(message, undefined, {}, () => {}));

/**
 * One of the processes a supervisor runs. Ends with it: Node ends a process of a cluster whose supervisor is gone, in the
 * middle of whatever it does, and without one nobody could reach it.
 */
export async function run(): Promise<void> {
  const begun = Promise.withResolvers<Extract<ToMember, { kind: 'begin' }>>();
  const told = Promise.withResolvers<void>();
  let hear: ((message: ToMember) => void) | undefined; // before it begins only a stop may come, which is remembered
  process.on('message', (message: ToMember) => {
    if (message.kind === 'begin') begun.resolve(message);
    else if (message.kind === 'stop') told.resolve();
    hear?.(message);
  });
  const begin = await begun.promise;
  try {
    const measures = askMeasures(send, async () => await running?.measure());
    let running: Running | undefined;
    const config = { ...readConfig(process.env), role: begin.role };
    const starting = start(config, { ...begin, measureAll: measures.all });
    const closing = closeWithGrace(
      { delay: CLOSE_WITHIN_MS, skip: ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] },
      async ({ err }) => {
        if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
        const stopping = await starting.catch(() => undefined);
        // Alone, nobody is told: the others get what would come to this one.
        const isDrained = await Promise.race([told.promise.then(() => true), wait(TOLD_WITHIN_MS, false)]);
        await stopping?.stop({ isDrained: isDrained && !err });
      },
    );
    let isClosing = false;
    const close = () => {
      if (!isClosing) closing.close();
      isClosing = true;
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, close);
    void told.promise.then(close);
    hear = (message) => {
      if (message.kind === 'measure' || message.kind === 'measured') measures.hear(message);
    };
    running = await starting;
    send({ kind: 'ready', url: running.url });
    setInterval(() => send({ kind: 'alive' }), ALIVE_EVERY_MS).unref();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
