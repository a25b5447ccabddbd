import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#server/db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { readSchema } from '../db/schema-files.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { forgetAnswers } from './answers.ts';
import { JOBS } from '#server/app/jobs.ts';
import { scratchFolder } from './scratch.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string;
    template: string;
  }
}

/** The URL of another database on the same server. */
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

/** A test run needs no durability, so its server never waits for the disk. */
const WITHOUT_DURABILITY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export type Cluster = { adminUrl: string; stop(): Promise<void> };

/** One PostgreSQL server for the run: DATABASE_URL when set, otherwise an embedded one. */
export async function startCluster(): Promise<Cluster> {
  const given = process.env['DATABASE_URL'];
  if (given) return { adminUrl: given, stop: async () => {} };
  const folder = await scratchFolder('officium-test-');
  const dataDir = join(folder, 'data');
  const socket = await socketFolder(folder);
  const embedded = await startEmbedded({
    dataDir,
    log: () => {},
    settings: { ...WITHOUT_DURABILITY, ...(socket ? { unix_socket_directories: socket } : {}) },
    isSuperuser: true,
  });
  const adminUrl = new URL(embedded.url);
  if (socket) adminUrl.searchParams.set('host', socket);
  return {
    adminUrl: adminUrl.toString(),
    async stop() {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sockets of the file system cost a quarter less than those of the network; libpq has none on Windows. */
async function socketFolder(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const socket = join(folder, 'socket');
  await mkdir(socket);
  await chmod(socket, 0o777); // the account of the server makes the socket
  return socket;
}

/** Creates a database, optionally as a copy of `template`. */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<string> {
  await query(adminUrl, `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  return withDatabase(adminUrl, name);
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await query(adminUrl, `drop database if exists ${name} with (force)`);
}

/** Starts the server and migrates a template database once; each test file clones it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  forgetAnswers();
  const { adminUrl, stop } = await startCluster();
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([await readSchema(), JOBS.map((job) => [job.name, job.options])]))
    .update(randomBytes(8))
    .digest('hex')
    .slice(0, 12);
  const template = `officium_template_${fingerprint}`;
  const templateUrl = await createDatabase(adminUrl, template);
  await migrate(templateUrl);
  await prepareJobs(templateUrl, JOBS);
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  return async () => {
    await dropDatabase(adminUrl, template);
    await stop();
  };
}
