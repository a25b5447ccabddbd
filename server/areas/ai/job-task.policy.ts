import type { Level, TaskCategory } from '@officium/contract/job-tasks';
import { isPublicServant, type Viewer } from '#server/access/viewer.ts';
import type { Exposure } from './job-task-file.format.ts';

/** Public servants and administrators. */
export function canAnalyseJobs(viewer: Viewer): boolean {
  return isPublicServant(viewer);
}

/** Similarity of a statement and a text; see findNearStatements. */
export type Resemblance = { has_first: boolean; cosine: number; covered: number };

/** Threshold if the statement contains the text's first word, usually the verb. */
const NEAR = 0.5;
/** Threshold without the first word: nearly everything else must match. */
const NEAR_WITHOUT_FIRST = 0.65;
/** A further statement counts if its similarity is at least this share of the best one. */
const BESIDE_NEAREST = 0.75;
export const MAX_REFERENCES = 3;

/** Similarity from 0 to 1, rounded to thousandths: a mean of cosine and coverage. */
export function similarityOf({ cosine, covered }: Pick<Resemblance, 'cosine' | 'covered'>): number {
  return Math.min(1, Math.round(Math.sqrt(cosine * Math.sqrt(covered)) * 1000) / 1000);
}

/** Statements that a text's figures are based on, nearest first; empty if none is near. `found` must be sorted. */
export function chooseNear<Found extends Resemblance>(found: readonly Found[]): (Found & { similarity: number })[] {
  return keepBest(compare(found).filter((row) => row.similarity >= (row.has_first ? NEAR : NEAR_WITHOUT_FIRST)));
}

/** The most similar statements for a text without near ones. */
export function chooseLeastUnlike<Found extends Resemblance>(
  found: readonly Found[],
): (Found & { similarity: number })[] {
  return keepBest(compare(found).filter((row) => row.similarity > 0));
}

const compare = <Found extends Resemblance>(found: readonly Found[]) =>
  found.map((row) => ({ ...row, similarity: similarityOf(row) }));

function keepBest<Compared extends { similarity: number }>(rows: readonly Compared[]): Compared[] {
  const least = (rows[0]?.similarity ?? 0) * BESIDE_NEAREST - 1e-9; // tolerates rounding
  return rows.filter((row) => row.similarity >= least).slice(0, MAX_REFERENCES);
}

/** Thresholds for a job title to match an occupation's title. The second applies if it contains every word. */
const SAME_OCCUPATION = { usually: 0.8, withEveryWord: 0.77 };

export function isSameOccupation(row: Pick<Resemblance, 'cosine' | 'covered'>): boolean {
  const hasEveryWord = row.covered > 0.999; // tolerates rounding
  return similarityOf(row) >= (hasEveryWord ? SAME_OCCUPATION.withEveryWord : SAME_OCCUPATION.usually);
}

export type Rated = { model_exposure: Exposure; people_exposure: Exposure; automation: number; similarity: number };
export type Figures = {
  effortPercentage: number;
  riskPercentage: number;
  overallRisk: number;
  category: TaskCategory;
};

/** Weights from the publication: E1 counts fully, E2 half. */
const BETA: Record<Exposure, number> = { E0: 0, E1: 1, E2: 0.5 };

export function exposureOf({ model_exposure, people_exposure }: Pick<Rated, 'model_exposure' | 'people_exposure'>) {
  return (BETA[model_exposure] + BETA[people_exposure]) / 2;
}

const percent = (share: number) => Math.round(share * 100);

/** Figures from rated statements, weighted by similarity. Undefined without statements. */
export function figuresOf(statements: readonly Rated[]): Figures | undefined {
  const all = statements.reduce((sum, { similarity }) => sum + similarity, 0);
  if (all === 0) return undefined;
  const mean = (value: (statement: Rated) => number) =>
    statements.reduce((sum, statement) => sum + statement.similarity * value(statement), 0) / all;
  const sharing = (counts: (label: Exposure) => boolean) =>
    mean(
      ({ model_exposure, people_exposure }) => (Number(counts(model_exposure)) + Number(counts(people_exposure))) / 2,
    );
  const exposure = mean(exposureOf);
  const automation = mean((statement) => statement.automation);
  const isDirect = sharing((label) => label === 'E1') >= 0.5;
  const isExposed = sharing((label) => label !== 'E0') >= 0.5;
  return {
    effortPercentage: percent(exposure),
    riskPercentage: percent(automation),
    overallRisk: percent((exposure + automation) / 2),
    category: isDirect ? 'direct' : isExposed ? 'with-tools' : 'unexposed',
  };
}

const GRADES: Record<TaskCategory, Level> = { direct: 'high', 'with-tools': 'medium', unexposed: 'low' };

export function gradeOf(category: TaskCategory): Level {
  return GRADES[category];
}

/** Splits the scale into thirds. */
export function levelOf(percentage: number): Level {
  return percentage < 34 ? 'low' : percentage < 67 ? 'medium' : 'high';
}
