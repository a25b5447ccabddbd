import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../db/embedded.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { forgetAnswers } from './answers.ts';
import { JOBS } from '../jobs/registry.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string;
    template: string;
  }
}

/** The address of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

export async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/**
 * One PostgreSQL for the whole run: DATABASE_URL's server when it is set, an embedded one otherwise. A template
 * database is migrated once; each test file clones it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  forgetAnswers();
  const given = process.env['DATABASE_URL'];
  const folder = await mkdtemp(join(tmpdir(), 'officium-test-'));
  await chmod(folder, 0o755); // as root the server runs under another account, which must get in
  const embedded = given ? undefined : await startEmbedded({ dataDir: join(folder, 'data'), log: () => {} });
  const adminUrl = given ?? embedded!.url; // one of the two exists
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([await readMigrations(), JOBS.map((job) => [job.name, job.options])]))
    .update(randomBytes(8))
    .digest('hex')
    .slice(0, 12);
  const template = `officium_template_${fingerprint}`;
  await query(adminUrl, `create database ${template}`);
  const templateUrl = withDatabase(adminUrl, template);
  await migrate(templateUrl);
  await prepareJobs(templateUrl);
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  return async () => {
    await query(adminUrl, `drop database if exists ${template} with (force)`);
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
