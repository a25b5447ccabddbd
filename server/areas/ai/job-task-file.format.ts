import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/**
 * Exposure of a statement to language models: E0 none, E1 direct (a model alone at least halves the time of the task),
 * E2 with tools built on a model.
 */
export type Exposure = 'E0' | 'E1' | 'E2';
export type Statement = {
  /** O*NET's id of the task. */
  id: number;
  text: string;
  kind: 'core' | 'supplemental' | 'unrated';
  /** Ratings by a model and by people. */
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
 * Packs occupations: one line per occupation, followed by one line per statement. Its kind, both exposures and the
 * automation grade take four characters.
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
    else if (id === undefined || text === undefined) throw new Error(`malformed job task line: ${line}`);
    else
      occupations.at(-1)?.statements.push({
        id: Number(id),
        text,
        kind: KINDS[kind as keyof typeof KINDS], // the pattern only allows these letters
        model: `E${model}` as Exposure, // the pattern only allows these digits
        people: `E${people}` as Exposure,
        automationGrade: Number(grade),
      });
  }
  return occupations;
}

/** `version` is a hash of the content. */
export type JobTaskFile = { packed: Uint8Array; version: string };

/** Reads the data file in this folder. */
export async function readJobTaskFile(): Promise<JobTaskFile> {
  const packed = await readFile(FILE);
  return { packed, version: createHash('sha256').update(packed).digest('hex') };
}
