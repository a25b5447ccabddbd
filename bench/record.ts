import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

const PAGE = new URL('../docs/performance.md', import.meta.url);

/** `--write` puts the result into docs/performance.md too, in place of the one before. */
const isWritten = () => process.argv.includes('--write');

/** On what and when, as a line of text. The load says whether the machine had anything else to do. */
export function circumstances(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, ${day}`;
}

/** Prints a result, and puts it between `<!-- name -->` and `<!-- end of name -->`. */
export async function record(name: string, text: string): Promise<void> {
  process.stdout.write(`${text}\n`);
  if (!isWritten()) return;
  const page = await readFile(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for ${name}.`);
  await writeFile(PAGE, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}
