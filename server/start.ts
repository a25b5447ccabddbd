import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

/**
 * `npm start`: builds the pages when they are missing or old, then starts the product, in as many processes as there
 * are cores. Runs in development with `--dev`, in one process, where pages are built as they are asked for.
 */
const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
if (values.dev) process.env['NODE_ENV'] = 'development';
else if (cluster.isPrimary) {
  const { ensureBuilt } = await import('../web/build.ts');
  await ensureBuilt((line) => process.stdout.write(`${line}\n`));
}
const { run } = cluster.isPrimary ? await import('./supervisor.ts') : await import('./member.ts');
await run();
flushCompileCache(); // also for who is killed
