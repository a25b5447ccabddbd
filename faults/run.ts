import { parseArgs } from 'node:util';
import { circumstances, replaceSection } from '../bench/record.ts';
import type { Drill, Figure } from './drill.ts';
import { DRILLS, LONG_DRILLS } from './drills.ts';

const PAGE = new URL('../docs/reliability.md', import.meta.url);

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(figures: readonly Figure[], scale: number): string {
  const lines = figures.map(
    ({ what, result, target, isMet }) =>
      `| ${cell(what)} | ${cell(result)} | ${cell(target)} | ${isMet ? 'yes' : '**no**'} | ${scale} |`,
  );
  return ['| figure | result | target | met | scale |', '|---|---:|---:|---|---:|', ...lines].join('\n');
}

/** A drill that throws counts as a missed figure. */
async function runDrill(drill: Drill, scale: number, print: (line: string) => void): Promise<Figure[]> {
  try {
    return await drill.run({ scale, print });
  } catch (error) {
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const result = error instanceof Error ? error.message.split('\n')[0]! : String(error); // split returns at least one part
    return [{ what: 'the drill completed', result, target: 'yes', isMet: false }];
  }
}

/**
 * `npm run faults`: runs all drills, or the named ones. `--scale 0.1` does a tenth of the kills, rows and seconds;
 * `--minutes 30` sets the duration of a soak; `--write` puts the tables into docs/reliability.md. Exits with 1 when a
 * figure was missed.
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
// A soak at scale 1 takes an hour.
const scale = values.minutes === undefined ? Number(values.scale) : Number(values.minutes) / 60;
if (!(scale > 0)) throw new Error('--scale and --minutes must be numbers above 0');
const all = [...DRILLS, ...LONG_DRILLS];
const unknown = positionals.find((name) => !all.some((drill) => drill.name === name));
if (unknown !== undefined || values.list) {
  if (unknown !== undefined) process.stderr.write(`There is no drill ${unknown}. Available drills:\n`);
  for (const { name, description } of all) process.stdout.write(`${name.padEnd(22)} ${description}\n`);
  process.exit(unknown === undefined ? 0 : 1);
}
let isMissed = false;
const asked = positionals.length === 0 ? DRILLS : all.filter(({ name }) => positionals.includes(name));
for (const drill of asked) {
  const startedAt = performance.now();
  const print = (line: string) =>
    process.stderr.write(`${drill.name} ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${line}\n`);
  const result = await runDrill(drill, scale, print);
  if (result.some(({ isMet }) => !isMet)) isMissed = true;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const text = `${table(result, scale)}\n\nScale ${scale}, ${minutes} minutes, ${circumstances()}.`;
  process.stdout.write(`\n## ${drill.name}\n\n${drill.description}\n\n${text}\n`);
  if (values.write) await replaceSection(PAGE, drill.name, text);
}
process.exitCode = isMissed ? 1 : 0;
