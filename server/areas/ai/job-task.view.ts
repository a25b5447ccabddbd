import type { HelpfulCourse, JobTask, Level, StatementReference, TaskCategory } from '@officium/contract/job-tasks';
import type { Translator } from '@officium/i18n/catalogue';
import type { Exposure } from './job-task-file.format.ts';
import { exposureOf, type Figures, gradeOf, levelOf } from './job-task.policy.ts';

export type NearStatement = {
  id: number;
  occupation_code: string;
  occupation_title: string;
  statement: string;
  model_exposure: Exposure;
  people_exposure: Exposure;
  automation: number;
  similarity: number;
};
/** A task with the statements its figures are based on. Without any, the figures are the average of all statements. */
export type WeighedTask = {
  id: string;
  title: string;
  statements: NearStatement[];
  figures: Figures;
  /** false: the figures are an average that says little about this task. */
  isNear: boolean;
};
/** The occupation the tasks come from. `isNear`: its title matches the job's. */
export type Source = { code: string; title: string; isNear: boolean };

/** Translates messages of i18n/messages/<locale>/ai.json. */
type Text = Translator['t'];

export function occupationUrl(code: string): string {
  return `https://www.onetonline.org/link/summary/${code}`;
}

export function toReference(statement: NearStatement): StatementReference {
  return {
    title: statement.occupation_title,
    url: occupationUrl(statement.occupation_code),
    quote: statement.statement,
    onetCode: statement.occupation_code,
    taskId: statement.id,
    exposure: exposureOf(statement),
    ratings: { model: statement.model_exposure, people: statement.people_exposure },
    automation: statement.automation,
    similarity: statement.similarity,
  };
}

/** Message keys by category, since keys have no hyphens. */
const KEYS: Record<TaskCategory, string> = { direct: 'direct', 'with-tools': 'tools', unexposed: 'unexposed' };

export function toRiskAssessment(
  { statements, figures, isNear }: WeighedTask,
  { t, formatNumber }: Translator,
): { summary: string; factors: { name: string; level: Level; reason: string }[] } {
  const count = statements.length;
  const percent = (value: number) => formatNumber(value / 100, { style: 'percent' });
  const factor = (name: 'exposure' | 'automation', percentage: number) => ({
    name: t(`document.task.factor.${name}`),
    level: levelOf(percentage),
    reason: t(`document.task.reason.${isNear ? name : 'weak'}`, { percent: percent(percentage), count }),
  });
  const summary = isNear ? gradeOf(figures.category) : 'weak';
  return {
    summary: t(`document.task.summary.${summary}`, { percent: percent(figures.overallRisk) }),
    factors: [factor('exposure', figures.effortPercentage), factor('automation', figures.riskPercentage)],
  };
}

export function toJobTask({ id, title, statements, figures }: WeighedTask, courses: HelpfulCourse[]): JobTask {
  return {
    id,
    title,
    categoryId: figures.category,
    riskPercentage: figures.riskPercentage,
    effortPercentage: figures.effortPercentage,
    references: statements.map(toReference),
    courses,
  };
}

export function toInsight({ figures, statements, isNear }: WeighedTask, { t, formatNumber }: Translator): string {
  const percent = (value: number) => formatNumber(value / 100, { style: 'percent' });
  return t(`document.task.insight.${isNear ? KEYS[figures.category] : 'weak'}`, {
    effort: percent(figures.effortPercentage),
    risk: percent(figures.riskPercentage),
    count: statements.length,
  });
}

export type AnalysedJob = { title: string; tasks: readonly WeighedTask[]; occupation: Source | null };

/** Counts only tasks with near statements. */
export function toHeadline({ title, tasks, occupation }: AnalysedJob, t: Text): string {
  const near = tasks.filter(({ isNear }) => isNear);
  if (near.length === 0) return t('document.task.headline.none', { job: title });
  const exposed = near.filter(({ figures }) => figures.category !== 'unexposed').length;
  const isTheirs = occupation?.isNear ?? true;
  return t(`document.task.headline.${isTheirs ? 'some' : 'nearest'}`, { job: title, exposed, total: near.length });
}

/** Caveats, one sentence per category found, and a note on how to read the ratings. */
export function toFutureVision({ tasks, occupation }: AnalysedJob, t: Text): string {
  const weak = [
    ...(occupation && !occupation.isNear ? [t('document.task.future.nearest', { occupation: occupation.title })] : []),
    ...(tasks.some(({ isNear }) => !isNear) ? [t('document.task.not_found')] : []),
  ];
  const categories = tasks.filter(({ isNear }) => isNear).map(({ figures }) => figures.category);
  const sentences = (['direct', 'with-tools', 'unexposed'] as const).flatMap((category) => {
    const count = categories.filter((found) => found === category).length;
    return count === 0 ? [] : [t(`document.task.future.${KEYS[category]}`, { count })];
  });
  return [...weak, ...sentences, t('document.task.future.reading')].join('\n\n');
}

/** Each statement once, with its similarity to the first task it was found for. */
export function toAllReferences(tasks: readonly WeighedTask[]): StatementReference[] {
  const references = new Map<number, StatementReference>();
  for (const { statements } of tasks)
    for (const statement of statements)
      if (!references.has(statement.id)) references.set(statement.id, toReference(statement));
  return [...references.values()];
}
