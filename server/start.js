import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';

// The one file in JavaScript: any Node can read it and say which version is needed. The store of compiled modules is opened
// here, before the first file in TypeScript is read: so types are stripped once and not at each start, and Node does not
// even load what strips them. Where the store may not be written it is done at each start.
const MINIMUM = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  process.stderr.write(
    `Officium needs Node ${MINIMUM.join('.')} or newer and found ${process.versions.node}. Run npm ci, which brings one.\n`,
  );
  process.exit(1);
}
modules.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/officium', import.meta.url)));
await import('./start.ts');
