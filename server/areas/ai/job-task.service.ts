import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import * as contract from '@officium/contract/job-tasks';
import { createTranslator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { findCourses } from './job-task-course.service.ts';
import { misspelt, weighWords } from './job-task-words.policy.ts';
import {
  canAnalyseJobs,
  chooseLeastUnlike,
  chooseNear,
  type Figures,
  figuresOf,
  gradeOf,
  isSameOccupation,
} from './job-task.policy.ts';
import * as statements from './job-task.repository.ts';
import {
  type NearStatement,
  occupationUrl,
  type Source,
  toAllReferences,
  toFutureVision,
  toHeadline,
  toInsight,
  toJobTask,
  toReference,
  toRiskAssessment,
  type WeighedTask,
} from './job-task.view.ts';
import { type JobQuestion, insertExchange, openJobThread } from './thread.repository.ts';

/** High enough to include the statements with a task's first word. */
const CANDIDATES = 40;
const RETRY_SECONDS = 10;

export function requireAnalyst(viewer: UserViewer): void {
  if (!canAnalyseJobs(viewer)) throw new AppError('auth.forbidden');
}

async function admit(ctx: Ctx, viewer: UserViewer, operation: string): Promise<void> {
  requireAnalyst(viewer);
  const limit = { max: contract.JOB_TASK_REQUESTS_AN_HOUR, windowSeconds: 3600 };
  await takeLimit(ctx, `ai.${operation}:${viewer.id}`, limit);
}

/** Average over all statements. 503 if none are loaded yet. */
async function averageAll(db: Db): Promise<Figures> {
  const ratings = await statements.findRatings(db);
  const figures = figuresOf(ratings.map(({ count, ...rating }) => ({ ...rating, similarity: count })));
  if (!figures) throw new AppError('server.unavailable', { retryAfterSeconds: RETRY_SECONDS });
  return figures;
}

type ComparedTask = { title: string; near: NearStatement[]; leastUnlike: NearStatement[] };

/** Adds figures to each task, from its near statements or else the average. */
async function weigh(db: Db, tasks: readonly ComparedTask[]): Promise<WeighedTask[]> {
  const weighed = tasks.map(({ title, near, leastUnlike }, index) => {
    const isNear = near.length > 0;
    const found = isNear ? near : leastUnlike;
    return { id: String(index + 1), title, statements: found, figures: figuresOf(found), isNear };
  });
  const average = weighed.every(({ figures }) => figures) ? undefined : await averageAll(db);
  return weighed.map((task) => ({ ...task, figures: (task.figures ?? average)! })); // the average exists if one is missing
}

/** Rates each task by its near statements, or by the most similar ones. */
async function weighTasks(db: Db, tasks: readonly string[]): Promise<WeighedTask[]> {
  const words = await statements.findWords(db, tasks);
  const unsure = misspelt(words);
  const alike = unsure.length > 0 ? await statements.findLikeSpellings(db, unsure) : [];
  const query = weighWords(words, alike);
  const found = await statements.findNearStatements(db, query, { words: 2, limit: CANDIDATES });
  const isFound = new Set(found.map(({ position }) => position));
  const others = query.filter(({ position }) => !isFound.has(position));
  const further =
    others.length > 0 ? await statements.findNearStatements(db, others, { words: 1, limit: CANDIDATES }) : [];
  return await weigh(
    db,
    tasks.map((title, index) => {
      const of = (rows: statements.NearRow[]) => rows.filter(({ position }) => position === index + 1);
      return { title, near: chooseNear(of(found)), leastUnlike: chooseLeastUnlike(of([...found, ...further])) };
    }),
  );
}

/**
 * The statements of the occupation nearest to a job title, as tasks. Without such an occupation, the title is the task.
 */
async function takeTasks(db: Db, jobTitle: string): Promise<{ occupation: Source | null; tasks: WeighedTask[] }> {
  const occupation = await statements.getNearestOccupation(db, jobTitle);
  if (!occupation) return { occupation: null, tasks: await weighTasks(db, [jobTitle]) };
  const own = await statements.findOccupationStatements(db, occupation.code, contract.MAX_JOB_TASKS);
  const tasks = own.map((row) => ({ title: row.statement, near: [{ ...row, similarity: 1 }], leastUnlike: [] }));
  return {
    occupation: { code: occupation.code, title: occupation.title, isNear: isSameOccupation(occupation) },
    tasks: await weigh(db, tasks),
  };
}

/** Rates the AI exposure of one task from the published ratings of similar statements. */
export async function classifyTask(
  ctx: Ctx,
  viewer: UserViewer,
  { task: text, locale }: { task: string; locale: Locale },
): Promise<ReplyOf<typeof contract.classifyTask>> {
  await admit(ctx, viewer, 'classify-task');
  const translator = createTranslator(locale);
  const tasks = await weighTasks(ctx.db, [text]);
  const task = tasks[0]!; // there is one per text
  return {
    riskAssessment: toRiskAssessment(task, translator),
    sensitivityGrade: gradeOf(task.figures.category),
    overallRisk: task.figures.overallRisk,
    references: task.statements.map(toReference),
    courses: (await findCourses(ctx, viewer, { tasks, locale })).courses,
    credit: translator.t('document.task.credit'),
  };
}

/**
 * Rates the given tasks of a job, or those of its occupation. Deterministic: the same question gets the same figures.
 */
export async function answerJob(
  ctx: Ctx,
  viewer: UserViewer,
  { jobTitle, tasks: given, locale }: JobQuestion & { locale: Locale },
): Promise<z.output<typeof contract.JobAnalysis>> {
  const { occupation, tasks } =
    given.length > 0 ? { occupation: null, tasks: await weighTasks(ctx.db, given) } : await takeTasks(ctx.db, jobTitle);
  const { courses, ofTasks } = await findCourses(ctx, viewer, { tasks, about: jobTitle, locale });
  const translator = createTranslator(locale);
  const { t } = translator;
  const job = { title: jobTitle, tasks, occupation };
  return {
    headline: toHeadline(job, t),
    futureVision: toFutureVision(job, t),
    tasks: tasks.map((task) => toJobTask(task, ofTasks.get(task.id) ?? [])),
    unmatchedTasks: tasks.filter(({ isNear }) => !isNear).map(({ id, title }) => ({ id, title })),
    taskInsights: tasks.map((task) => ({ taskId: task.id, text: toInsight(task, translator) })),
    occupation: occupation && {
      onetCode: occupation.code,
      title: occupation.title,
      url: occupationUrl(occupation.code),
      isNear: occupation.isNear,
    },
    references: toAllReferences(tasks),
    courses,
    credit: t('document.task.credit'),
  };
}

/** Analyses a job and stores question and answer as a conversation of the viewer. */
export async function analyseJob(
  ctx: Ctx,
  viewer: UserViewer,
  { locale, jobTitle, organization, tasks = [] }: z.output<(typeof contract.analyseJob)['body']> & { locale: Locale },
): Promise<ReplyOf<typeof contract.analyseJob>> {
  await admit(ctx, viewer, 'analyse-job');
  const job = { jobTitle, organization: organization ?? null, tasks };
  const analysis = await answerJob(ctx, viewer, { ...job, locale });
  return { ...analysis, threadId: await keep(ctx, viewer, job, analysis) };
}

/** Adds question and analysis to the viewer's conversation about the job and returns its id. */
async function keep(
  ctx: Ctx,
  viewer: UserViewer,
  job: JobQuestion,
  analysis: z.output<typeof contract.JobAnalysis>,
): Promise<string> {
  const { jobTitle, organization, tasks } = job;
  const title = jobTitle.normalize('NFC').replace(/\s+/g, ' ');
  const titles = new Map(analysis.tasks.map((task) => [task.id, task.title]));
  const insights = analysis.taskInsights.map(({ taskId, text }) => `${titles.get(taskId) ?? ''}\n${text}`);
  return await inTransaction(ctx.db, async (trx) => {
    const { id } = await openJobThread(trx, { userId: viewer.id, jobTitle: title.toLowerCase(), title, job });
    await insertExchange(trx, {
      threadId: id,
      question: [organization ? `${jobTitle}, ${organization}` : jobTitle, ...tasks].join('\n'),
      answer: [analysis.headline, ...insights, analysis.futureVision, analysis.credit].join('\n\n'),
    });
    return id;
  });
}
