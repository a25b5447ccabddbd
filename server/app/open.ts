import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createSeal } from '#server/access/seal.ts';
import { createSessionStore } from '#server/access/sessions.ts';
import type { Config } from '#server/config.ts';
import { ConfigError } from '#server/errors.ts';
import type { Ctx } from '#server/ctx.ts';
import { carryAnnouncements, CHANNELS, notify } from '#server/db/announce.ts';
import { openDatabase } from '#server/db/client.ts';
import { listenToDatabase } from '#server/live/listen.ts';
import { noteOutage } from '#server/db/outage.ts';
import { createFanOut } from '#server/live/fan-out.ts';
import { warnWithoutTimeout } from '#server/db/pooler.ts';
import { openReplica } from '#server/db/replica.ts';
import { createAllowances } from '#server/limits/allowances.ts';
import { countElsewhereWhenAway, countInDatabase, countInRedis } from '#server/limits/counts.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { JOBS } from './jobs.ts';
import { PERSONAL_TABLES } from './personal-tables.ts';
import { createMailer } from '#server/mail/transport.ts';
import { createNews } from '#server/live/news.ts';
import { openFiles } from '#server/outside/open-files.ts';
import { openIdentityProvider } from '#server/outside/identity-provider.ts';
import { carryByRedis, openRedis } from '#server/live/redis.ts';
import { openTranslation } from './open-translation.ts';
import { openSigningKey } from '#server/outside/signing-key.ts';
import { listenerName } from '#server/version.ts';
import { readSecretKey } from '#server/outside/secret-key.ts';

export type OpenCtx = { ctx: Ctx; close(): Promise<void> };

/** So that all processes of this machine fit under a limit of 100: beside the pool each has up to ten for other ends. */
function connectionsOf({ processes }: Config): number {
  return Math.max(5, Math.min(20, Math.floor(90 / processes) - 10));
}

/** Opens everything the process needs on a migrated database; `close` gives it back in the opposite order. */
export async function openCtx(config: Config, databaseUrl: string, log: Logger): Promise<OpenCtx> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR: cannot be used: ${error.message}`, { cause: error });
  });
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const max = config.mode === 'test' ? 5 : connectionsOf(config);
  const pooling = { max, isPooled: config.databaseDirectUrl !== undefined, prepares: config.preparesStatements };
  const database = openDatabase(databaseUrl, { ...pooling, onError });
  if (pooling.isPooled) await warnWithoutTimeout(database.db, log);
  // Connections of its own, past the pooler: requests that hold all others in a transaction would wait for each other
  // without end.
  const lasting = openDatabase(directUrl, { max: config.mode === 'test' ? 2 : 4, onError });
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : openReplica(config.databaseReplicaUrl, { ...pooling, primary: lasting.db, log });
  const jobs = await openJobs(directUrl, log, { worker: config.role !== 'web' && config.mode !== 'test', kinds: JOBS });
  const mailer = createMailer({ url: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'outbox') });
  const sessions = createSessionStore(database.db);
  const news = createNews(lasting.db, log);
  const redis = config.redis && (await openRedis(config.redis, log));
  if (redis) {
    const carry = carryByRedis(redis, async (announcement) => {
      await notify(lasting.db, announcement).catch((error: unknown) => log.warn({ err: error }, 'announcement failed'));
    });
    for (const pool of [database.db, lasting.db]) carryAnnouncements(pool, carry);
  }
  // The database is listened to with Redis too: it is how processes tell each other what while Redis is away.
  const fanOut = createFanOut((hear) => [
    listenToDatabase(directUrl, { hear, log, name: listenerName(config.role) }),
    ...(redis ? [redis.listen(CHANNELS, hear)] : []),
  ]);
  fanOut.subscribe('officium_sessions', (userId) => {
    sessions.forget(userId);
    news.hear(JSON.stringify({ people: [userId], communities: [] }));
  });
  const written = { times: 0 };
  fanOut.subscribe('officium_news', async (payload) => {
    // Who hears it reads again, perhaps from the replica, and not what was remembered before.
    await replica?.caughtUp();
    written.times += 1;
    news.hear(payload);
  });
  fanOut.onGap(() => {
    sessions.forgetAll();
    noteOutage(database.pool);
  });
  const inDatabase = countInDatabase(lasting.db);
  const counts = redis ? countElsewhereWhenAway(countInRedis(redis), inDatabase) : inDatabase;
  const allowances = config.rateLimits ? createAllowances(counts, log) : undefined;
  const languageModel = config.ai && (await import('#server/outside/language-model.ts')).openLanguageModel(config.ai);
  const translation = openTranslation(config, languageModel);
  const ctx: Ctx = {
    config,
    db: database.db,
    lastingDb: lasting.db,
    pool: database.pool,
    ...(replica && { replica }),
    log,
    jobs,
    personalTables: PERSONAL_TABLES,
    mailer,
    files: await openFiles(join(config.dataDir, 'files'), config.bucket, log),
    credentialKey: await openSigningKey(config.dataDir, config.credentialKey),
    identityProvider:
      config.identityProvider &&
      openIdentityProvider(config.identityProvider, { redirectUri: `${config.publicUrl}/login/provider`, log }),
    sessions,
    seal: createSeal(config.secretKey ?? (await readSecretKey(join(config.dataDir, 'secret.key')))),
    written,
    news,
    fanOut,
    counts,
    ...(redis && { redis }),
    allowances,
    ...(languageModel && { languageModel }),
    ...(translation && { translation }),
    clock: { now: () => new Date() },
  };
  return {
    ctx,
    async close() {
      await news.close();
      allowances?.close();
      await fanOut.close();
      await redis?.close();
      await jobs.stop();
      mailer.close();
      await replica?.close();
      await lasting.close();
      await database.close();
    },
  };
}
