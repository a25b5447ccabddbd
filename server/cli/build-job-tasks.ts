import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSource } from '#server/areas/ai/job-task-source.format.ts';
import { packOccupations } from '#server/areas/ai/job-task-file.format.ts';
import { printError, print } from './open.ts';

const OUT = fileURLToPath(new URL('../areas/ai/job-tasks.tsv.br', import.meta.url));

/** `node server/cli/build-job-tasks.ts <folder with tasks.tsv>`: builds the compressed file of task statements. */
const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  printError('Usage: node server/cli/build-job-tasks.ts <folder with tasks.tsv>');
  process.exitCode = 2;
} else {
  const occupations = readSource(await readFile(join(folder, 'tasks.tsv'), 'utf8'));
  const packed = await packOccupations(occupations);
  await writeFile(OUT, packed);
  const statements = occupations.reduce((total, occupation) => total + occupation.statements.length, 0);
  print(`${statements} statements of ${occupations.length} occupations in ${packed.length} bytes: ${OUT}`);
}
