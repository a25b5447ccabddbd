import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Seal } from './access/seal.ts';
import type { SessionStore } from './access/sessions.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { FanOut } from '#server/live/fan-out.ts';
import type { Replica } from './db/replica.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Allowances } from '#server/limits/allowances.ts';
import type { Counts } from '#server/limits/counts.ts';
import type { Redis } from '#server/live/redis.ts';
import type { Files } from './outside/files.ts';
import type { PersonalTable } from './personal-data/define.ts';
import type { IdentityProvider } from './outside/identity-provider.ts';
import type { LanguageModel } from './outside/language-model.ts';
import type { SigningKey } from './outside/signing-key.ts';
import type { TranslationEngine } from '#server/translation/translation.ts';
import type { News } from '#server/live/news.ts';
import type { Mailer } from './mail/transport.ts';

/** What the process holds; every service takes it first. */
export type Ctx = {
  config: Config;
  /** The pool, or the transaction of the request when it carries an Idempotency-Key; for some reads, the replica. */
  db: Db;
  /** Always the primary, in no transaction: for what must last even when the request is refused, such as counted attempts. */
  lastingDb: Db;
  /** The pool below `db`. */
  pool: Pool;
  /** With DATABASE_REPLICA_URL; which reads it answers is decided in http/reads.ts. */
  replica?: Replica;
  log: Logger;
  jobs: Jobs<Ctx>;
  mailer: Mailer;
  files: Files;
  /** Every table that holds something about people, in the order in which a person is erased. */
  personalTables: readonly PersonalTable[];
  /** Signs the credentials of certificates. */
  credentialKey: SigningKey;
  sessions: SessionStore;
  /** Keeps secrets in the database that are worth nothing without the key of the installation. */
  seal: Seal;
  /** How many requests that may have written something this process has answered: what it remembers may be old since. */
  written: { times: number };
  /** What is new, as all nodes announce it. */
  news: News;
  /** What processes announce to each other. */
  fanOut: FanOut;
  /** Where limits are counted for all processes together. */
  counts: Counts;
  /** When one is configured. */
  redis?: Redis;
  /** What callers may ask for in a minute; absent with RATE_LIMITS=off. */
  allowances?: Allowances;
  /** Signs people in by their organisation when one is configured. */
  identityProvider?: IdentityProvider;
  /** Translates when a provider is configured. */
  translation?: TranslationEngine;
  /** A model outside, when a provider is configured. */
  languageModel?: LanguageModel;
  clock: { now(): Date };
};
