import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { type Config, readConfig } from '#server/config.ts';
import type { EmbeddedPostgres } from '#server/db/embedded/embedded.ts';
import { explain } from './explain.ts';
import { ALIVE_EVERY_MS, type ToMember, type ToSupervisor } from './family.ts';
import { createLogger } from '#server/log.ts';
import { relayMeasures } from './measures.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Who lived so long begins again without a long pause. */
const STEADY_MS = 60_000;
/** Who does not say so often in a row that it lives is stuck, and is ended. */
const MOST_SILENT = 12;
/** A process has so long to finish what is under way, the load balancer's time included. */
const STOP_WITHIN_MS = 28_000;

/** Room for what is young and gone soon, of which V8 takes three times as much unasked, and `giveBackMemory`. */
const FLAGS = ['--max-semi-space-size=16', '--expose-gc'];

/** The first process could not start, and said why. */
class AlreadySaid extends Error {}

type Family = { start(): Promise<string>; stop(): Promise<void> };

/**
 * The product in several processes that share the port. Each takes connections from it by itself: one that the supervisor
 * handed to a process which has just been killed would wait for ever. The first migrates and makes a first start before
 * the others begin, and it alone does jobs. One that ends is replaced while the others serve on. The supervisor serves
 * nothing: it keeps the port and the embedded database, and the others end when it does.
 */
function createFamily(config: Config, log: Logger, say: (line: string) => void): Family {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...FLAGS] });
  const members = new Set<Worker>();
  const relay = relayMeasures(members);
  let embedded: Promise<EmbeddedPostgres> | undefined;
  let isStopping = false;

  const openDatabase = async (): Promise<string> => {
    if (config.databaseUrl !== undefined) return config.databaseUrl;
    const { startEmbedded } = await import('#server/db/embedded/embedded.ts');
    return (await (embedded = startEmbedded({ dataDir: resolve(config.dataDir), log: say }))).url;
  };

  /** Begins a process and ends it when it is stuck. `onReady` is called once, `onEnd` whatever happens. */
  const launch = (
    begin: ToMember,
    on: { ready(url: string): void; end(how: { code: number; signal: string; livedMs: number }): void },
  ) => {
    const startedAt = performance.now();
    const member = cluster.fork();
    let silent = 0;
    let check: NodeJS.Timeout | undefined;
    members.add(member);
    member.on('error', () => {}); // of a message to one that has ended; 'exit' follows
    member.send(begin);
    member.on('message', (message: ToSupervisor) => {
      if (message.kind === 'alive') silent = 0;
      else if (message.kind !== 'ready') relay(member, message);
      else {
        check = setInterval(() => {
          silent += 1;
          if (silent > MOST_SILENT) member.process.kill('SIGKILL');
        }, ALIVE_EVERY_MS).unref();
        on.ready(message.url);
      }
    });
    member.once('exit', (code, signal) => {
      clearInterval(check);
      members.delete(member);
      on.end({ code, signal, livedMs: performance.now() - startedAt });
    });
  };

  /** Keeps a place filled. */
  const fill = (begin: ToMember, pauseMs = FIRST_PAUSE_MS): void =>
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
      if (isStopping) throw new AlreadySaid();
      const first: ToMember = { kind: 'begin', place: 0, databaseUrl, isPrepared: false, role: config.role };
      const prepared: ToMember = { ...first, isPrepared: true };
      const url = await new Promise<string>((ready, failed) => {
        let isReady = false;
        launch(first, {
          ready(at) {
            isReady = true;
            ready(at);
          },
          end(how) {
            if (!isReady) failed(new AlreadySaid());
            else if (!isStopping) {
              log.error({ exitCode: how.code, signal: how.signal }, 'web process died, starting a new one');
              fill(prepared);
            }
          },
        });
      });
      for (let place = 1; place < config.processes && !isStopping; place += 1)
        fill({ ...prepared, place, role: 'web' });
      return url;
    },
    async stop() {
      isStopping = true;
      const database = await embedded?.catch(() => undefined); // why is thrown by start()
      await Promise.all(
        [...members].map(async (member) => {
          const ended = once(member, 'exit');
          member.send({ kind: 'stop' } satisfies ToMember);
          const late = setTimeout(() => member.process.kill('SIGKILL'), STOP_WITHIN_MS);
          await ended;
          clearTimeout(late);
        }),
      );
      await database?.stop();
    },
  };
}

/** Runs the product until it is told to stop: in this process when it is to be one, else in several under this one. */
export async function run(): Promise<void> {
  try {
    const config = readConfig(process.env);
    if (config.processes === 1) return await (await import('./main.ts')).run();
    const family = createFamily(config, createLogger(config), (line) => void process.stdout.write(`${line}\n`));
    let isClosing = false;
    closeWithGrace({ delay: 30_000 }, async ({ err }) => {
      isClosing = true;
      if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
      await family.stop();
    });
    try {
      process.stdout.write(`Officium is at ${await family.start()}\n`);
    } catch (error) {
      if (isClosing) return;
      await family.stop();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof AlreadySaid)) process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
