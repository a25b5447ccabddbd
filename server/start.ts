import cluster from 'node:cluster';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const MINIMUM = [22, 18];

/**
 * `npm start`: builds the pages when they are missing or old, then starts the product, in as many processes as there
 * are cores. Runs in development with `--dev`, in one process, where pages are built as they are asked for.
 */
const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0]! || (major === MINIMUM[0]! && minor < MINIMUM[1]!)) {
  process.stderr.write(
    `Officium needs Node ${MINIMUM.join('.')} or newer and found ${process.versions.node}. Run npm ci, which brings one.\n`,
  );
  process.exit(1);
}
// Of the modules of the product, without their types: half the work of a start. Where nobody may write it is done anew.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/officium', import.meta.url)));
if (values.dev) process.env['NODE_ENV'] = 'development';
else if (cluster.isPrimary) {
  const { ensureBuilt } = await import('../web/build.ts');
  await ensureBuilt((line) => process.stdout.write(`${line}\n`));
}
const { run } = cluster.isPrimary ? await import('./supervisor.ts') : await import('./member.ts');
await run();
flushCompileCache(); // also for who is killed
