import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Carrier } from '#server/db/announce.ts';
import type { Ear, Hear } from './fan-out.ts';
import type { RedisAddress } from '#server/config-values.ts';
import { createCircuit } from '#server/outside/circuit.ts';

/** A Redis or Valkey that may be away at any time: calls then fail within `ANSWER_WITHIN_MS`, or at once. */
export type Redis = {
  /** Runs a Lua script on keys, which get the installation's prefix. Rejects when Redis is away, slow or unwilling. */
  run(script: string, keys: string[], values: (string | number)[]): Promise<unknown>;
  publish(channel: string, payload: string): Promise<void>;
  /** Hears what is published on these channels, whenever there is a connection. */
  listen(channels: readonly string[], hear: Hear): Ear;
  /** Whether calls are made at the moment. */
  isUp(): boolean;
  /** How many calls found no answer since the process began. */
  failures(): number;
  close(): Promise<void>;
};

/** Two calls of this length and the third goes elsewhere at once: nobody waits for Redis as long as a second. */
const ANSWER_WITHIN_MS = 300;
const FAILURES = 2;
const PAUSE_MS = 2_000;
const PING_EVERY_MS = 2_000;
/** Without a byte for so long, an answer to a ping among them, the connection is given up. */
const SILENCE_MS = 5_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** How long a start waits for the first connection. */
const FIRST_CONNECTION_MS = 1_000;

/** Processes that lost the same server do not come back in the same instant. */
const retryAfterMs = (tried: number) =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(tried, 10), LONGEST_RETRY_MS) * (0.5 + Math.random() / 2);

/**
 * Connects, and goes on trying for as long as the process lives; resolves without a connection when there is none within
 * a second. That it went away, and that it is back, is logged once.
 */
export async function openRedis(address: RedisAddress, log: Logger): Promise<Redis> {
  const { createClient } = await import('@redis/client'); // most installations have none
  const { host, port, tls, username, password, database } = address;
  const client = createClient({
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
    disableOfflineQueue: true, // what waits for a connection would wait for too long
    maintNotifications: 'disabled',
  });
  const circuit = createCircuit({ failures: FAILURES, pauseMs: PAUSE_MS, now: () => performance.now() });
  const prefix = `officium:${database}:`;
  let failures = 0;
  let isAway = false;
  let isClosed = false;

  const noteAway = (error: unknown) => {
    if (!isAway && !isClosed) log.warn({ err: error }, 'Redis down: limits and announcements use the database');
    isAway = true;
  };
  const noteAnswer = () => {
    if (isAway) log.info('Redis up again');
    isAway = false;
    circuit.succeeded();
  };
  client.on('ready', noteAnswer);
  client.on('error', noteAway);

  const call = async <T>(command: () => Promise<T>): Promise<T> => {
    if (!client.isReady || !circuit.admits()) throw new Error('Redis is away');
    const cancel = new AbortController();
    const tooLate = wait(ANSWER_WITHIN_MS, undefined, { signal: cancel.signal }).then(async () => {
      await new Promise(setImmediate); // the answer may have come while this process was busy
      throw new Error(`Redis did not answer within ${ANSWER_WITHIN_MS} ms`);
    });
    try {
      const answer = await Promise.race([command(), tooLate]);
      noteAnswer();
      return answer;
    } catch (error) {
      failures += 1;
      circuit.failed();
      noteAway(error);
      throw error;
    } finally {
      cancel.abort();
      tooLate.catch(() => {}); // given up, by the abort or as the reason above
    }
  };

  const connected = client.connect().catch(noteAway); // only once it is closed: until then it tries again
  await Promise.race([connected, wait(FIRST_CONNECTION_MS, undefined, { ref: false })]);

  return {
    run: (script, keys, values) =>
      call(() =>
        client.eval(script, { keys: keys.map((key) => prefix + key), arguments: values.map((value) => String(value)) }),
      ),
    async publish(channel, payload) {
      await call(() => client.publish(prefix + channel, payload));
    },
    listen(channels, hear) {
      let isListening = false;
      const subscribe = async () => {
        if (!isListening) {
          await client.subscribe(
            channels.map((channel) => prefix + channel),
            (payload, channel) => hear.announcement(channel.slice(prefix.length), payload),
          );
          isListening = true; // the client itself subscribes again from now on
        }
        hear.anew();
      };
      const listen = () =>
        subscribe().catch((error: Error) => log.warn({ err: error }, 'Redis subscription failed, retrying'));
      client.on('ready', listen);
      if (client.isReady) void listen();
      return {
        isUp: () => isListening && client.isReady,
        close: async () => void client.off('ready', listen),
      };
    },
    isUp: () => client.isReady && circuit.isClosed(),
    failures: () => failures,
    async close() {
      isClosed = true;
      client.destroy();
    },
  };
}

/** Announcements go by Redis, and by `otherwise` while it is away. */
export function carryByRedis(redis: Redis, otherwise: Carrier): Carrier {
  return async (announcement) => {
    try {
      await redis.publish(announcement.channel, announcement.payload);
    } catch {
      await otherwise(announcement); // why is logged by the client, once
    }
  };
}
