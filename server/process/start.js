import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';

// The one file in JavaScript: every Node can read it and say which version is needed. The compile cache is opened here,
// before the first TypeScript file is read, so types are stripped once and not at each start, and Node does not even load
// what strips them. Where the cache cannot be written, they are stripped at each start.
const NEEDED = 24;
const found = process.versions.node;
if (Number.parseInt(found) < NEEDED) {
  // npm ci installs a Node for these systems when the machine's is older (see package-lock.json).
  const { glibcVersionRuntime } = process.report.getReport().header;
  const isBundled = process.platform === 'linux' && glibcVersionRuntime && ['x64', 'arm64'].includes(process.arch);
  process.stderr.write(
    `Officium needs Node ${NEEDED} or newer and found ${found}. ${
      isBundled
        ? `Run npm ci, which brings Node ${NEEDED}, and start with npm start, which uses it.`
        : `Install Node ${NEEDED} from https://nodejs.org or with your package manager, then run npm ci again.`
    }\n`,
  );
  process.exit(1);
}
modules.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/officium', import.meta.url)));
await import('./start.ts');
