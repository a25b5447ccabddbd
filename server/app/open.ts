import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createSeal } from '#server/access/seal.ts';
import { createSessionStore } from '#server/access/sessions.ts';
import type { Config } from '#server/config.ts';
import { ConfigError } from '#server/errors.ts';
import type { Ctx } from '#server/ctx.ts';
import { carryAnnouncements, CHANNELS, notify } from '#server/db/announce.ts';
import { type Db, openDatabase } from '#server/db/client.ts';
import { listenToDatabase } from '#server/live/listen.ts';
import { noteOutage } from '#server/db/outage.ts';
import { createFanOut } from '#server/live/fan-out.ts';
import { warnWithoutTimeout } from '#server/db/pooler.ts';
import { createPageReads } from '#server/db/page-reads.ts';
import { openReplica, type Replica } from '#server/db/replica.ts';
import { createAllowances } from '#server/limits/allowances.ts';
import { countElsewhereWhenAway, countInDatabase, countInRedis } from '#server/limits/counts.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { connectionsOf } from './connections.ts';
import { JOBS } from './jobs.ts';
import { PERSONAL_TABLES } from './personal-tables.ts';
import { openSite } from '#server/site/site.ts';
import { createMailer } from '#server/mail/transport.ts';
import { createNews } from '#server/live/news.ts';
import { openFiles } from '#server/outside/open-files.ts';
import { openIdentityProvider } from '#server/outside/identity-provider.ts';
import { carryByRedis, openRedis, type Redis } from '#server/live/redis.ts';
import { openProviders } from './open-providers.ts';
import { openSigningKey } from '#server/outside/signing-key.ts';
import { listenerName } from '#server/version.ts';
import { readSecretKey } from '#server/outside/secret-key.ts';

export type OpenCtx = { ctx: Ctx; close(): Promise<void> };

/** The pools: through the pooler if there is one, past it, and to the replica. */
async function openDatabases(config: Config, databaseUrl: string, log: Logger) {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const max = config.mode === 'test' ? 5 : connectionsOf(config);
  const pooling = { max, isPooled: config.databaseDirectUrl !== undefined, prepares: config.preparesStatements };
  const database = openDatabase(databaseUrl, { ...pooling, onError });
  if (pooling.isPooled) await warnWithoutTimeout(database.db, log);
  // Connections past the pooler, in a pool of their own: requests that hold all others in a transaction would otherwise
  // deadlock on the pool.
  const lasting = openDatabase(directUrl, { max: config.mode === 'test' ? 2 : 4, onError });
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : openReplica(config.databaseReplicaUrl, { ...pooling, primary: lasting.db, log });
  return { directUrl, database, lasting, replica };
}

/** These pools announce by Redis; `otherwise` while it is unavailable. */
function announceByRedis(redis: Redis, pools: Db[], otherwise: Db, log: Logger): void {
  const carry = carryByRedis(redis, async (announcement) => {
    await notify(otherwise, announcement).catch((error: unknown) => log.warn({ err: error }, 'announcement failed'));
  });
  for (const pool of pools) carryAnnouncements(pool, carry);
}

/** Keeps what this process has cached or counted in step with what other processes announce. */
function hearAnnouncements({
  fanOut,
  sessions,
  news,
  replica,
  written,
  pool,
  site,
}: Pick<Ctx, 'fanOut' | 'sessions' | 'news' | 'written' | 'pool' | 'site'> & { replica: Replica | undefined }): void {
  fanOut.subscribe('officium_sessions', (userId) => {
    sessions.forget(userId);
    news.receive(JSON.stringify({ people: [userId], communities: [] }));
  });
  fanOut.subscribe('officium_news', async (payload) => {
    // Subscribers then read from the replica, so it must have caught up and cached answers must expire.
    await replica?.caughtUp();
    written.times += 1;
    news.receive(payload);
  });
  fanOut.subscribe('officium_site', async () => await site.refresh());
  fanOut.onGap(() => {
    sessions.forgetAll();
    void site.refresh();
    noteOutage(pool);
  });
}

/** Opens everything the process needs on a migrated database; `close` releases it in reverse order. */
export async function openCtx(config: Config, databaseUrl: string, log: Logger): Promise<OpenCtx> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR: cannot be used: ${error.message}`, { cause: error });
  });
  const { directUrl, database, lasting, replica } = await openDatabases(config, databaseUrl, log);
  const jobs = await openJobs(directUrl, log, { worker: config.role !== 'web' && config.mode !== 'test', kinds: JOBS });
  const mailer = createMailer({ url: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'outbox') });
  const sessions = createSessionStore(database.db);
  const news = createNews(lasting.db, log);
  const redis = config.redis && (await openRedis(config.redis, log));
  if (redis) announceByRedis(redis, [database.db, lasting.db], lasting.db, log);
  // Listens to the database even with Redis, since processes announce through it while Redis is unavailable.
  const fanOut = createFanOut((receiver) => [
    listenToDatabase(directUrl, { receiver, log, name: listenerName(config.role) }),
    ...(redis ? [redis.listen(CHANNELS, receiver)] : []),
  ]);
  const written = { times: 0 };
  const site = await openSite(database.db, config, log);
  hearAnnouncements({ fanOut, sessions, news, replica, written, pool: database.pool, site });
  const inDatabase = countInDatabase(lasting.db);
  const counts = redis ? countElsewhereWhenAway(countInRedis(redis), inDatabase) : inDatabase;
  const allowances = config.rateLimits ? createAllowances(counts, log) : undefined;
  const outside = await openProviders(config);
  const ctx: Ctx = {
    config,
    db: database.db,
    lastingDb: lasting.db,
    pool: database.pool,
    ...(replica && { replica }),
    pageReads: createPageReads(),
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
    site,
    written,
    news,
    fanOut,
    counts,
    ...(redis && { redis }),
    allowances,
    ...outside,
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
