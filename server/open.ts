import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import pino, { type Logger } from 'pino';
import { createSessionStore, SESSION_CHANNEL } from './access/sessions.ts';
import { type Config, ConfigError } from './config.ts';
import type { Ctx } from './ctx.ts';
import { openDatabase } from './db/client.ts';
import { createAllowances } from './http/allowances.ts';
import { openJobs } from './jobs/jobs.ts';
import { createMailer } from './mail/transport.ts';
import { createNews, NEWS_CHANNEL } from './news.ts';
import { openFiles } from './outside/files.ts';

export type OpenCtx = { ctx: Ctx; close(): Promise<void> };

/** Of an error: what it is and where it came from. Drivers hang connections and queries on theirs. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown }; // Node's and PostgreSQL's errors have one
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/** JSON lines on standard output, or to `destination`. */
export function createLogger(config: Pick<Config, 'logLevel'>, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level: config.logLevel,
    serializers: { err: describeError },
    redact: [
      'password',
      'token',
      'secret',
      'code',
      '*.password',
      '*.token',
      '*.secret',
      'headers.cookie',
      'headers.authorization',
    ],
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Opens everything the process needs on a migrated database; `close` gives it back in the opposite order. */
export async function openCtx(config: Config, databaseUrl: string, log: Logger): Promise<OpenCtx> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR: cannot be used: ${error.message}`, { cause: error });
  });
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection');
  const database = openDatabase(databaseUrl, { max: config.mode === 'test' ? 5 : 20, onError });
  // Connections of its own: requests that hold all others in a transaction would wait for each other without end.
  const lasting = openDatabase(databaseUrl, { max: config.mode === 'test' ? 2 : 4, onError });
  const jobs = await openJobs(databaseUrl, log, { worker: config.role !== 'web' && config.mode !== 'test' });
  const mailer = createMailer({ url: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'outbox') });
  const sessions = createSessionStore(database.db);
  const news = createNews(lasting.db, log);
  const hear = {
    [SESSION_CHANNEL]: (userId: string) => {
      sessions.forget(userId);
      news.hear(JSON.stringify({ people: [userId], communities: [] }));
    },
    [NEWS_CHANNEL]: news.hear,
  };
  const ears = listen(databaseUrl, hear, log);
  const allowances = config.rateLimits ? createAllowances(lasting.db, log) : undefined;
  const ctx: Ctx = {
    config,
    db: database.db,
    lastingDb: lasting.db,
    pool: database.pool,
    log,
    jobs,
    mailer,
    files: await openFiles(join(config.dataDir, 'files')),
    sessions,
    news,
    allowances,
    clock: { now: () => new Date() },
  };
  return {
    ctx,
    async close() {
      await news.close();
      allowances?.close();
      await ears.close();
      await jobs.stop();
      mailer.close();
      await lasting.close();
      await database.close();
    },
  };
}

/** Hears what other nodes announce. A lost connection is made again, with a growing pause. */
function listen(url: string, hear: Record<string, (payload: string) => void>, log: Logger): { close(): Promise<void> } {
  let isClosed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = 200;

  const retry = () => {
    client = undefined;
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, pauseMs);
    timer.unref();
    pauseMs = Math.min(pauseMs * 2, 5_000);
  };

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'officium-listen' });
    next.on('error', () => {}); // 'end' follows
    next.on('end', retry);
    next.on('notification', ({ channel, payload }) => hear[channel]?.(payload ?? ''));
    try {
      client = next;
      await next.connect();
      for (const channel of Object.keys(hear)) await next.query(`listen ${channel}`);
      pauseMs = 200;
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'cannot listen to the database');
      await next.end().catch(() => {}); // it may never have begun
      retry();
    }
  };

  const ready = connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await ready;
      await client?.end().catch(() => {}); // already lost
    },
  };
}
