import cluster, { type Worker } from 'node:cluster';
import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { type Config, readConfig } from '#server/config.ts';
import type { EmbeddedPostgres } from '#server/db/embedded/embedded.ts';
import { explain } from './explain.ts';
import { launchWorker, stopWorker, type Callbacks } from './launch-worker.ts';
import type { ToWorker } from './messages.ts';
import { createLogger } from '#server/log.ts';
import { relayMetrics } from './metrics-relay.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that lived this long restarts with the shortest delay. */
const STEADY_MS = 60_000;

/**
 * A smaller young generation, of which V8 takes three times as much by default; an old one that is collected before it
 * doubles; and access to `gc()` for `releaseMemory`.
 */
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=60', '--expose-gc'];

/** The first process could not start and has reported why. */
class AlreadyReported extends Error {}

type Supervisor = { start(): Promise<string>; stop(): Promise<void> };

/**
 * The product in several processes that share the port. Each accepts connections itself: a connection passed by the
 * supervisor to a process that was just killed would hang. The first one migrates and prepares a new installation
 * before the others start, and it alone runs jobs. A process that ends is replaced while the others serve. The
 * supervisor serves no requests: it holds the port and the embedded database, and the others end with it.
 */
function createSupervisor(config: Config, log: Logger, say: (line: string) => void): Supervisor {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...FLAGS] });
  const workers = new Set<Worker>();
  const relay = relayMetrics(workers);
  let embedded: Promise<EmbeddedPostgres> | undefined;
  let isStopping = false;

  const openDatabase = async (): Promise<string> => {
    if (config.databaseUrl !== undefined) return config.databaseUrl;
    const { startEmbedded } = await import('#server/db/embedded/embedded.ts');
    return (await (embedded = startEmbedded({ dataDir: resolve(config.dataDir), log: say }))).url;
  };

  const launch = (begin: ToWorker, on: Callbacks) => launchWorker(begin, { workers, relay }, on);

  /** Keeps one process running by restarting it. */
  const fill = (begin: ToWorker, pauseMs = FIRST_PAUSE_MS): void =>
    launch(begin, {
      ready: () => {},
      end({ code, signal, livedMs }) {
        if (isStopping) return;
        const pause = livedMs > STEADY_MS ? FIRST_PAUSE_MS : pauseMs;
        log.error({ exitCode: code, signal, pauseMs: pause }, 'web process died, starting a new one');
        setTimeout(() => {
          if (!isStopping) fill(begin, Math.min(pause * 2, LONGEST_PAUSE_MS));
        }, pause);
      },
    });

  return {
    async start() {
      const databaseUrl = await openDatabase();
      if (isStopping) throw new AlreadyReported();
      const first: ToWorker = { kind: 'begin', index: 0, databaseUrl, isPrepared: false, role: config.role };
      const prepared: ToWorker = { ...first, isPrepared: true };
      const url = await new Promise<string>((ready, failed) => {
        let isReady = false;
        launch(first, {
          ready(at) {
            isReady = true;
            ready(at);
          },
          end(how) {
            if (!isReady) failed(new AlreadyReported());
            else if (!isStopping) {
              log.error({ exitCode: how.code, signal: how.signal }, 'web process died, starting a new one');
              fill(prepared);
            }
          },
        });
      });
      for (let index = 1; index < config.processes && !isStopping; index += 1)
        fill({ ...prepared, index, role: 'web' });
      return url;
    },
    async stop() {
      isStopping = true;
      const database = await embedded?.catch(() => undefined); // start() throws the reason
      await Promise.all([...workers].map(stopWorker));
      await database?.stop();
    },
  };
}

/** Runs the product until it is stopped: in this process when one suffices, else in several under this supervisor. */
export async function run(): Promise<void> {
  try {
    const config = readConfig(process.env);
    if (config.processes === 1) return await (await import('./main.ts')).run();
    const supervisor = createSupervisor(config, createLogger(config), (line) => void process.stdout.write(`${line}\n`));
    let isClosing = false;
    closeWithGrace({ delay: 30_000 }, async ({ err }) => {
      isClosing = true;
      if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
      await supervisor.stop();
    });
    try {
      process.stdout.write(`Officium is at ${await supervisor.start()}\n`);
    } catch (error) {
      if (isClosing) return;
      await supervisor.stop();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof AlreadyReported)) process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
