import pg from 'pg';
import type { Logger } from 'pino';
import type { AnnouncementSource, Receiver } from './fan-out.ts';
import { CHANNELS } from '#server/db/announce.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** How soon a silently lost connection is detected. */
const CHECK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;

function newClient(url: string, name: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: name,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
}

async function startListening(client: pg.Client): Promise<void> {
  await client.connect();
  for (const channel of CHANNELS) await client.query(`listen ${channel}`);
}

/** Receives NOTIFY announcements. A lost connection is reopened, with a growing delay. */
export function listenToDatabase(
  url: string,
  { receiver, log, name }: { receiver: Receiver; log: Logger; name: string },
): AnnouncementSource {
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
    const next = newClient(url, name);
    next.on('error', () => {}); // 'end' follows
    next.on('end', () => {
      if (client === next) retry();
    });
    next.on('notification', ({ channel, payload }) => receiver.message(channel, payload ?? ''));
    try {
      client = next;
      await startListening(next);
      pauseMs = FIRST_PAUSE_MS;
      isUp = true;
      receiver.reconnected();
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'LISTEN connection lost');
      await next.end().catch(() => {}); // it may never have connected
      if (client === next) retry();
    }
  };

  const check = setInterval(() => {
    const checked = client;
    if (!isUp || !checked) return;
    checked.query('select 1').catch(() => {
      if (client !== checked) return;
      retry();
      void checked.end().catch(() => {}); // its peer may be gone
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
