import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../server/db/client.ts';
import { query, withDatabase } from '../server/test/cluster.ts';
import { freePort, ROOT, startProcess, type RunningProcess } from '../server/test/process.ts';
import { scratchFolder } from '../server/test/scratch.ts';

export { freePort };

/** The settings of most tests: the demo, without rate limits. */
export const COMMON_SETTINGS = {
  NODE_ENV: 'production',
  DEMO_CONTENT: 'on',
  LOG_LEVEL: 'warn',
  RATE_LIMITS: 'off',
  SHED_LOAD: 'off', // on a busy machine tests get slower instead of failing
  WEB_PROCESSES: '1', // the started process is the one that is measured
};

export type Product = RunningProcess & { url: string; dataDir: string; databaseUrl: string | undefined };

/**
 * Runs the product like `npm start`, in its own process with demo content, on the embedded database or on a new
 * database of DATABASE_URL's server. Resolves when it is ready.
 */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const folder = await scratchFolder('officium-e2e-');
  const dataDir = join(folder, 'data');
  const port = settings['PORT'] ?? (await freePort());
  const given = process.env['DATABASE_URL'];
  const name = `officium_e2e_${newId().replaceAll('-', '')}`;
  if (given) await query(given, `create database ${name}`);
  const url = `http://localhost:${port}`;
  const running = await startProcess(join(ROOT, 'server/process/start.js'), {
    url,
    settings: {
      ...COMMON_SETTINGS,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(given ? { DATABASE_URL: withDatabase(given, name) } : {}),
      ...settings,
    },
  });
  return {
    ...running,
    url,
    dataDir,
    databaseUrl: given && withDatabase(given, name),
    async stop(signal) {
      await running.stop(signal);
      if (given) await query(given, `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
