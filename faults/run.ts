import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { circumstances } from '../bench/record.ts';
import type { Drill, Reached } from './drill.ts';
import { DRILLS, LONG_DRILLS } from './drills.ts';

const PAGE = new URL('../docs/reliability.md', import.meta.url);

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(reached: readonly Reached[], scale: number): string {
  const lines = reached.map(
    ({ what, reached: was, demanded, isReached }) =>
      `| ${cell(what)} | ${cell(was)} | ${cell(demanded)} | ${isReached ? 'yes' : '**no**'} | ${scale} |`,
  );
  return ['| figure | reached | demanded | held | scale |', '|---|---:|---:|---|---:|', ...lines].join('\n');
}

/** Puts the result of a drill between its marks in docs/reliability.md. */
async function record(name: string, text: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no place for ${name}.`);
  await writeFile(PAGE, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}

/** A drill that breaks down reached nothing, which is a figure too. */
async function runDrill(drill: Drill, scale: number, say: (line: string) => void): Promise<Reached[]> {
  try {
    return await drill.run({ scale, say });
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const reached = error instanceof Error ? error.message.split('\n')[0]! : String(error); // a split gives one at least
    return [{ what: 'the drill came to its end', reached, demanded: 'yes', isReached: false }];
  }
}

/**
 * `npm run faults`: all drills, or those named. `--scale 0.1` does a tenth of the kills, rows and seconds; `--minutes 30`
 * says the same of a soak; `--write` puts the tables into docs/reliability.md. Ends with 1 when a figure was missed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
// The soak at scale 1 is an hour.
const scale = values.minutes === undefined ? Number(values.scale) : Number(values.minutes) / 60;
if (!(scale > 0)) throw new Error('--scale and --minutes are numbers above 0');
const all = [...DRILLS, ...LONG_DRILLS];
const unknown = positionals.find((name) => !all.some((drill) => drill.name === name));
if (unknown !== undefined || values.list) {
  if (unknown !== undefined) process.stderr.write(`There is no drill ${unknown}. There are:\n`);
  for (const { name, does } of all) process.stdout.write(`${name.padEnd(22)} ${does}\n`);
  process.exit(unknown === undefined ? 0 : 1);
}
let isMissed = false;
const asked = positionals.length === 0 ? DRILLS : all.filter(({ name }) => positionals.includes(name));
for (const drill of asked) {
  const begun = performance.now();
  const say = (line: string) =>
    process.stderr.write(`${drill.name} ${((performance.now() - begun) / 1000).toFixed(0)} s: ${line}\n`);
  const reached = await runDrill(drill, scale, say);
  if (reached.some(({ isReached }) => !isReached)) isMissed = true;
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  const text = `${table(reached, scale)}\n\nScale ${scale}, ${minutes} minutes, ${circumstances()}.`;
  process.stdout.write(`\n## ${drill.name}\n\n${drill.does}\n\n${text}\n`);
  if (values.write) await record(drill.name, text);
}
process.exitCode = isMissed ? 1 : 0;
