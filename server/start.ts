import { parseArgs } from 'node:util';

const MINIMUM = [22, 18];

/**
 * `npm start`: builds the pages when they are missing or old, then starts the product. Runs in development with
 * `--dev`, where pages are built as they are asked for.
 */
const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0]! || (major === MINIMUM[0]! && minor < MINIMUM[1]!)) {
  process.stderr.write(
    `Officium needs Node ${MINIMUM.join('.')} or newer and found ${process.versions.node}. Run npm ci, which brings one.\n`,
  );
  process.exit(1);
}
if (values.dev) process.env['NODE_ENV'] = 'development';
else {
  const { ensureBuilt } = await import('../web/build.ts');
  await ensureBuilt((line) => process.stdout.write(`${line}\n`));
}
const { run } = await import('./main.ts');
await run();
