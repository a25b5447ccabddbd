import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SessionStore } from './access/sessions.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Allowances } from './http/allowances.ts';
import type { Files } from './outside/files.ts';
import type { TranslationEngine } from './outside/translation.ts';
import type { News } from './news.ts';
import type { Mailer } from './mail/transport.ts';

/** What the process holds; every service takes it first. */
export type Ctx = {
  config: Config;
  /** The pool, or the transaction of the request when it carries an Idempotency-Key. */
  db: Db;
  /** Always the pool: for what must last even when the request is refused, such as counted attempts. */
  lastingDb: Db;
  pool: Pool;
  log: Logger;
  jobs: Jobs;
  mailer: Mailer;
  files: Files;
  sessions: SessionStore;
  /** What is new, as all nodes announce it. */
  news: News;
  /** What callers may ask for in a minute; absent with RATE_LIMITS=off. */
  allowances?: Allowances;
  /** Translates when a provider is configured. */
  translation?: TranslationEngine;
  clock: { now(): Date };
};
