import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Carrier } from '#server/db/announce.ts';
import type { AnnouncementSource, Receiver } from './fan-out.ts';
import type { RedisAddress } from '#server/config-values.ts';
import { watchAnswers } from './redis-answers.ts';

type Client = ReturnType<(typeof import('@redis/client'))['createClient']>;

/**
 * A Redis or Valkey server that may be unavailable at any time: calls then fail within 300 ms, or at once.
 */
export type Redis = {
  /**
   * Runs a Lua script on keys, which get the installation's prefix. Rejects when Redis is unavailable, slow or returns
   * an error.
   */
  run(script: string, keys: string[], values: (string | number)[]): Promise<unknown>;
  publish(channel: string, payload: string): Promise<void>;
  /** Receives what is published on these channels, whenever there is a connection. */
  listen(channels: readonly string[], receiver: Receiver): AnnouncementSource;
  /** Whether calls are currently attempted. */
  isUp(): boolean;
  /** The number of failed calls since the process started. */
  failures(): number;
  close(): Promise<void>;
};

const PING_EVERY_MS = 2_000;
/** Without a byte for this long, including replies to pings, the connection is closed. */
const SILENCE_MS = 5_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** How long a start waits for the first connection. */
const FIRST_CONNECTION_MS = 1_000;

/** Jitter, so that processes that lost the same server do not reconnect at the same instant. */
const retryAfterMs = (tried: number) =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(tried, 10), LONGEST_RETRY_MS) * (0.5 + Math.random() / 2);

async function newClient({ host, port, tls, username, password, database }: RedisAddress): Promise<Client> {
  const { createClient } = await import('@redis/client'); // most installations do not use it
  return createClient({
    socket: {
      host,
      port,
      ...(tls && { tls: true as const, servername: host }),
      connectTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: retryAfterMs,
    },
    username,
    password,
    database,
    pingInterval: PING_EVERY_MS,
    disableOfflineQueue: true, // queued commands would wait too long
    maintNotifications: 'disabled',
  });
}

/** Subscribes once there is a connection; the client resubscribes by itself after later ones. */
function subscribeTo(
  client: Client,
  channels: string[],
  { message, reconnected, log }: { message: Receiver['message']; reconnected(): void; log: Logger },
): AnnouncementSource {
  let isListening = false;
  const subscribe = async () => {
    if (!isListening) {
      await client.subscribe(channels, (payload, channel) => message(channel, payload));
      isListening = true;
    }
    reconnected();
  };
  const listen = () =>
    subscribe().catch((error: Error) => log.warn({ err: error }, 'Redis subscription failed, retrying'));
  client.on('ready', listen);
  if (client.isReady) void listen();
  return {
    isUp: () => isListening && client.isReady,
    close: async () => void client.off('ready', listen),
  };
}

/**
 * Connects and keeps retrying for the lifetime of the process; resolves without a connection after a second. Loss and
 * return are each logged once.
 */
export async function openRedis(address: RedisAddress, log: Logger): Promise<Redis> {
  const client = await newClient(address);
  const answers = watchAnswers(client, log);
  const prefix = `officium:${address.database}:`;
  const connected = client.connect().catch(answers.noteAway); // rejects only after close; until then it retries
  await Promise.race([connected, wait(FIRST_CONNECTION_MS, undefined, { ref: false })]);

  return {
    run: (script, keys, values) =>
      answers.within(() =>
        client.eval(script, { keys: keys.map((key) => prefix + key), arguments: values.map((value) => String(value)) }),
      ),
    async publish(channel, payload) {
      await answers.within(() => client.publish(prefix + channel, payload));
    },
    listen: (channels, receiver) =>
      subscribeTo(
        client,
        channels.map((channel) => prefix + channel),
        {
          message: (channel, payload) => receiver.message(channel.slice(prefix.length), payload),
          reconnected: () => receiver.reconnected(),
          log,
        },
      ),
    isUp: answers.isUp,
    failures: answers.failures,
    async close() {
      answers.close();
      client.destroy();
    },
  };
}

/** Announcements use Redis, and `otherwise` while it is unavailable. */
export function carryByRedis(redis: Redis, otherwise: Carrier): Carrier {
  return async (announcement) => {
    try {
      await redis.publish(announcement.channel, announcement.payload);
    } catch {
      await otherwise(announcement); // the client logs the reason once
    }
  };
}
