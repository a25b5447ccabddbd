import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

const PERFORMANCE = new URL('../docs/performance.md', import.meta.url);

/** `--write` also replaces the result in docs/performance.md. */
const isWritten = () => process.argv.includes('--write');

/** The machine and the date, on one line. The load shows whether anything else was running. */
export function circumstances(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, ${day}`;
}

/** Prints a result. With `--write`, also replaces its section of docs/performance.md. */
export async function record(name: string, text: string): Promise<void> {
  process.stdout.write(`${text}\n`);
  if (isWritten()) await replaceSection(PERFORMANCE, name, text);
}

/** Replaces the text between `<!-- name -->` and `<!-- end of name -->` of a page. */
export async function replaceSection(file: URL, name: string, text: string): Promise<void> {
  const page = await readFile(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file.pathname} has no markers for ${name}.`);
  await writeFile(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}
