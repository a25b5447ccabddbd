import pg from 'pg';
import type { Logger } from 'pino';
import type { Ear, Hear } from './fan-out.ts';
import { CHANNELS } from '#server/db/announce.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A connection whose other end is gone without a word is found out so soon. */
const CHECK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;

/** Hears what is announced by NOTIFY. A lost connection is made again, with a growing pause. */
export function listenToDatabase(url: string, { hear, log, name }: { hear: Hear; log: Logger; name: string }): Ear {
  let isClosed = false;
  let isUp = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const retry = () => {
    client = undefined;
    isUp = false;
    if (isClosed || timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void connect();
      },
      pauseMs * (0.5 + Math.random() / 2),
    );
    timer.unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };

  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: name,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    next.on('error', () => {}); // 'end' follows
    next.on('end', () => {
      if (client === next) retry();
    });
    next.on('notification', ({ channel, payload }) => hear.announcement(channel, payload ?? ''));
    try {
      client = next;
      await next.connect();
      for (const channel of CHANNELS) await next.query(`listen ${channel}`);
      pauseMs = FIRST_PAUSE_MS;
      isUp = true;
      hear.anew();
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'LISTEN connection lost');
      await next.end().catch(() => {}); // it may never have begun
      if (client === next) retry();
    }
  };

  const check = setInterval(() => {
    const checked = client;
    if (!isUp || !checked) return;
    checked.query('select 1').catch(() => {
      if (client !== checked) return;
      retry();
      void checked.end().catch(() => {}); // its other end may be gone
    });
  }, CHECK_EVERY_MS).unref();

  const ready = connect();
  return {
    isUp: () => isUp,
    async close() {
      isClosed = true;
      isUp = false;
      clearTimeout(timer);
      clearInterval(check);
      await ready;
      await client?.end().catch(() => {}); // already lost
    },
  };
}
