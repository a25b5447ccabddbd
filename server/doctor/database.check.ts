import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { connectOrStartEmbedded } from '#server/db/embedded/embedded.ts';
import { EmbeddedError } from '#server/db/embedded/error.ts';
import { checkAccounts } from './accounts.check.ts';
import { type DatabaseFacts, readDatabase, readMigrations, withClient } from './database.facts.ts';
import { judgeConnections, judgeDatabase, judgeMigrations, judgeReplica } from './database.policy.ts';
import { codeOf, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';

/** Remedies for what PostgreSQL answers to a connection, by SQLSTATE. */
const REFUSALS: Record<string, [message: string, remedy: string]> = {
  '28P01': [
    'the password is wrong',
    'Correct PGPASSWORD, or the password in the address; special characters need %XX.',
  ],
  '28000': ['the server does not let this role in', 'Create the role, or allow it and this host in pg_hba.conf.'],
  '3D000': ['the database does not exist', 'Create it with deploy/database-role.sql, or correct the name.'],
  '53300': ['the server has no connection left', 'Raise max_connections, or close other clients.'],
};

function explainRefusal(error: unknown, setting: string): Diagnosis {
  const [message, remedy] = REFUSALS[codeOf(error)] ?? [];
  if (message !== undefined && remedy !== undefined) return wrong(setting, message, remedy);
  const { reason, remedy: usual } = explainConnection(error, setting);
  return wrong(setting, reason, usual);
}

/** Checks the database, the way past its pooler, its replica and the accounts in it. */
export async function checkDatabase(config: Config): Promise<Diagnosis[]> {
  if (config.databaseUrl !== undefined) return await checkServer(config, config.databaseUrl);
  const about = 'Database';
  if (!existsSync(join(config.dataDir, 'postgres')) && !existsSync(join(config.dataDir, 'postgres.place')))
    return [right(about, 'the first start creates the embedded one in DATA_DIR')];
  try {
    const embedded = await connectOrStartEmbedded({ dataDir: resolve(config.dataDir), log: () => {} });
    try {
      return await checkServer(config, embedded.url, about);
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    return [wrong(about, error.message, 'Correct that, or set DATABASE_URL.')];
  }
}

async function checkServer(config: Config, url: string, about = 'DATABASE_URL'): Promise<Diagnosis[]> {
  let primary: DatabaseFacts | undefined;
  const found: Diagnosis[] = [];
  try {
    await withClient(url, async (client) => {
      primary = await readDatabase(client);
      const isPooled = config.databaseDirectUrl !== undefined;
      found.push(
        ...judgeDatabase(primary, about),
        judgeConnections(primary, { ...config, isPooled }, isPooled ? undefined : about),
      );
      const migrations = await readMigrations(client);
      found.push(judgeMigrations(migrations));
      if (!migrations.isNew) found.push(...(await checkAccounts(config, client)));
    });
  } catch (error) {
    found.push(explainRefusal(error, about));
  }
  return [...found, ...(await checkDirect(config, primary)), ...(await checkReplica(config, primary))];
}

async function checkDirect({ databaseDirectUrl }: Config, primary: DatabaseFacts | undefined): Promise<Diagnosis[]> {
  const about = 'DATABASE_DIRECT_URL';
  if (databaseDirectUrl === undefined) return [];
  try {
    const direct = await withClient(databaseDirectUrl, readDatabase);
    if (primary && direct.server !== primary.server)
      return [wrong(about, 'leads to another database than DATABASE_URL', 'Name the server behind the pooler.')];
    return [right(about, 'leads to the database behind the pooler')];
  } catch (error) {
    return [explainRefusal(error, about)];
  }
}

async function checkReplica({ databaseReplicaUrl }: Config, primary: DatabaseFacts | undefined): Promise<Diagnosis[]> {
  if (databaseReplicaUrl === undefined) return [];
  try {
    return judgeReplica(await withClient(databaseReplicaUrl, readDatabase), primary);
  } catch (error) {
    return [explainRefusal(error, 'DATABASE_REPLICA_URL')];
  }
}
