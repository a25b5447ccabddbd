import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/**
 * How far a statement is exposed to language models: E0 not, E1 directly (the model alone at least halves the time the
 * task takes), E2 with tools built on one.
 */
export type Exposure = 'E0' | 'E1' | 'E2';
export type Statement = {
  /** O*NET's id of the task. */
  id: number;
  text: string;
  kind: 'core' | 'supplemental' | 'unrated';
  /** As a model rated it, and as people did. */
  model: Exposure;
  people: Exposure;
  /** 0 none, 1 little, 2 about half or more, 3 nearly all, 4 full automation. */
  automationGrade: number;
};
export type Occupation = { code: string; title: string; statements: Statement[] };

const FILE = new URL('./job-tasks.tsv.br', import.meta.url);
const KINDS = { C: 'core', S: 'supplemental', U: 'unrated' } as const;
const LETTERS = { core: 'C', supplemental: 'S', unrated: 'U' } as const;
const OCCUPATION = /^(\d{2}-\d{4}\.\d{2})\t([^\t]+)$/;
const STATEMENT = /^(\d+)\t([CSU])([012])([012])([0-4])\t([^\t]+)$/;

/**
 * The compact form: a line for each occupation, below it one for each of its statements with the kind, the two
 * exposures and the grade of automation as four characters.
 */
export async function packOccupations(occupations: readonly Occupation[]): Promise<Uint8Array> {
  const lines = occupations.flatMap(({ code, title, statements }) => [
    `${code}\t${title}`,
    ...statements.map(
      ({ id, text, kind, model, people, automationGrade }) =>
        `${id}\t${LETTERS[kind]}${model[1]}${people[1]}${automationGrade}\t${text}`,
    ),
  ]);
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return await promisify(brotliCompress)(lines.join('\n'), { params });
}

export async function unpackOccupations(packed: Uint8Array): Promise<Occupation[]> {
  const occupations: Occupation[] = [];
  for (const line of (await promisify(brotliDecompress)(packed)).toString('utf8').split('\n')) {
    const [, code, title] = OCCUPATION.exec(line) ?? [];
    const [, id, kind, model, people, grade, text] = STATEMENT.exec(line) ?? [];
    if (code !== undefined && title !== undefined) occupations.push({ code, title, statements: [] });
    else if (id === undefined || text === undefined) throw new Error(`not a line of job tasks: ${line}`);
    else
      occupations.at(-1)?.statements.push({
        id: Number(id),
        text,
        kind: KINDS[kind as keyof typeof KINDS], // the pattern allows these letters only
        model: `E${model}` as Exposure, // and these digits
        people: `E${people}` as Exposure,
        automationGrade: Number(grade),
      });
  }
  return occupations;
}

/** `version` is a name of the content. */
export type JobTaskFile = { packed: Uint8Array; version: string };

/** The file as it stands beside this one. */
export async function readJobTaskFile(): Promise<JobTaskFile> {
  const packed = await readFile(FILE);
  return { packed, version: createHash('sha256').update(packed).digest('hex') };
}
