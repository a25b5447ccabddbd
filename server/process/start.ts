import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

/**
 * `npm start`: builds the pages when they are missing or outdated, then starts the product, with one process per core.
 * With `--build` (`npm run build`) it only builds. With `--dev` it runs in development, in one process, and builds pages
 * on request.
 */
const { values } = parseArgs({
  options: { build: { type: 'boolean', default: false }, dev: { type: 'boolean', default: false } },
});
if (values.dev) process.env['NODE_ENV'] = 'development';
else if (cluster.isPrimary) {
  const { ensureBuilt } = await import('../../web/build.ts');
  try {
    await ensureBuilt((line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
if (!values.build) {
  const { run } = cluster.isPrimary ? await import('./supervisor.ts') : await import('./worker.ts');
  await run();
}
flushCompileCache(); // also when the process is killed later
