import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Seal } from './access/seal.ts';
import type { SessionStore } from './access/sessions.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { FanOut } from '#server/live/fan-out.ts';
import type { PageReads } from './db/page-reads.ts';
import type { Replica } from './db/replica.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Allowances } from '#server/limits/allowances.ts';
import type { Counts } from '#server/limits/counts.ts';
import type { Redis } from '#server/live/redis.ts';
import type { Files } from './outside/files.ts';
import type { PersonalTable } from './personal-data/define.ts';
import type { IdentityProvider } from './outside/identity-provider.ts';
import type { PaymentProvider } from './outside/payment-provider.ts';
import type { LanguageModel } from './outside/language-model.ts';
import type { SigningKey } from './outside/signing-key.ts';
import type { TranslationEngine } from '#server/translation/translation.ts';
import type { News } from '#server/live/news.ts';
import type { SiteStore } from './site/site.ts';
import type { Mailer } from './mail/transport.ts';

/** The resources of the process; the first argument of every service function. */
export type Ctx = {
  config: Config;
  /** The pool, or the request's transaction when it has an Idempotency-Key; the replica for some reads. */
  db: Db;
  /**
   * Always the primary, in no transaction: for writes that must persist even when the request is refused, such as
   * counted attempts.
   */
  lastingDb: Db;
  /** The pool below `db`. */
  pool: Pool;
  /** With DATABASE_REPLICA_URL; http/reads.ts decides which reads it serves. */
  replica?: Replica;
  /** Lets the requests of one page read in one round trip. */
  pageReads: PageReads;
  log: Logger;
  jobs: Jobs<Ctx>;
  mailer: Mailer;
  files: Files;
  /** All tables with personal data, in the order of erasure. */
  personalTables: readonly PersonalTable[];
  /** Signs the credentials of certificates. */
  credentialKey: SigningKey;
  sessions: SessionStore;
  /** Encrypts secrets in the database with the key of the installation. */
  seal: Seal;
  /** The name, texts and colours that the installation shows as its own. */
  site: SiteStore;
  /** The number of answered requests of this process that may have written, which outdates cached answers. */
  written: { times: number };
  /** Announcements of changes, from all nodes. */
  news: News;
  /** Announcements between processes. */
  fanOut: FanOut;
  /** The rate limit counters shared by all processes. */
  counts: Counts;
  /** If configured. */
  redis?: Redis;
  /** The rate limit per minute; absent with RATE_LIMITS=off. */
  allowances?: Allowances;
  /** Signs people in through their organisation, if configured. */
  identityProvider?: IdentityProvider;
  /** Translates, if a provider is configured. */
  translation?: TranslationEngine;
  /** Takes payments for journeys, if configured. */
  paymentProvider?: PaymentProvider;
  /** An external model, if a provider is configured. */
  languageModel?: LanguageModel;
  clock: { now(): Date };
};
