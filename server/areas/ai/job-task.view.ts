import type { HelpfulCourse, JobTask, Level, StatementReference, TaskCategory } from '@officium/contract/job-tasks';
import type { Translator } from '@officium/i18n/catalogue';
import type { Exposure } from './job-task-file.ts';
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
/** A task that was asked about, with what it rests on; without figures when nothing is near. */
export type WeighedTask = { id: string; title: string; statements: NearStatement[]; figures: Figures | undefined };

/** A text of this area; see i18n/messages/<locale>/ai.json. */
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

/** Message keys have no hyphens. */
const KEYS: Record<TaskCategory, string> = { direct: 'direct', 'with-tools': 'tools', unexposed: 'unexposed' };

export function toRiskAssessment(
  { statements, figures }: WeighedTask,
  { t, formatNumber }: Translator,
): { summary: string; factors: { name: string; level: Level; reason: string }[] } {
  if (!figures) return { summary: t('document.task.not_found'), factors: [] };
  const count = statements.length;
  const percent = (value: number) => formatNumber(value / 100, { style: 'percent' });
  const factor = (name: 'exposure' | 'automation', percentage: number) => ({
    name: t(`document.task.factor.${name}`),
    level: levelOf(percentage),
    reason: t(`document.task.reason.${name}`, { percent: percent(percentage), count }),
  });
  return {
    summary: t(`document.task.summary.${gradeOf(figures.category)}`, { percent: percent(figures.overallRisk) }),
    factors: [factor('exposure', figures.effortPercentage), factor('automation', figures.riskPercentage)],
  };
}

export function toJobTask({ id, title, statements }: WeighedTask, figures: Figures, courses: HelpfulCourse[]): JobTask {
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

export function toInsight({ figures, statements }: WeighedTask, { t, formatNumber }: Translator): string {
  if (!figures) return t('document.task.not_found');
  const percent = (value: number) => formatNumber(value / 100, { style: 'percent' });
  return t(`document.task.insight.${KEYS[figures.category]}`, {
    effort: percent(figures.effortPercentage),
    risk: percent(figures.riskPercentage),
    count: statements.length,
  });
}

export function toHeadline(jobTitle: string, tasks: readonly WeighedTask[], t: Text): string {
  const compared = tasks.flatMap(({ figures }) => figures ?? []);
  const exposed = compared.filter(({ category }) => category !== 'unexposed').length;
  return compared.length === 0
    ? t('document.task.headline.none', { job: jobTitle })
    : t('document.task.headline.some', { job: jobTitle, exposed, total: compared.length });
}

/** A sentence for each category that tasks fell in, and how the ratings are to be read. */
export function toFutureVision(tasks: readonly WeighedTask[], t: Text): string {
  const categories = tasks.flatMap(({ figures }) => figures?.category ?? []);
  if (categories.length === 0) return t('document.task.not_found');
  const sentences = (['direct', 'with-tools', 'unexposed'] as const).flatMap((category) => {
    const count = categories.filter((found) => found === category).length;
    return count === 0 ? [] : [t(`document.task.future.${KEYS[category]}`, { count })];
  });
  return [...sentences, t('document.task.future.reading')].join('\n\n');
}

/** Each statement once, as near as it is to the first task it was found for. */
export function toAllReferences(tasks: readonly WeighedTask[]): StatementReference[] {
  const references = new Map<number, StatementReference>();
  for (const { statements } of tasks)
    for (const statement of statements)
      if (!references.has(statement.id)) references.set(statement.id, toReference(statement));
  return [...references.values()];
}
