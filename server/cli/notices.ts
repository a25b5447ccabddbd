import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { productionPackages, thirdPartyNotices } from '../third-party-notices.ts';

/**
 * `npm run notices`: writes THIRD-PARTY-NOTICES for the installed packages. The image build runs it after `npm prune
 * --omit=dev`.
 */
const OUT = fileURLToPath(new URL('../../THIRD-PARTY-NOTICES', import.meta.url));
const packages = productionPackages();
await writeFile(OUT, thirdPartyNotices(packages));
process.stdout.write(`Notices for ${packages.length} packages: ${OUT}\n`);
