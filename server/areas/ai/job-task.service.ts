import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import * as contract from '@officium/contract/job-tasks';
import { createTranslator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/http/limits.ts';
import { findCourses } from './job-task-course.service.ts';
import { misspelt, weighWords } from './job-task-words.policy.ts';
import { getLoadedVersion } from './job-task-load.repository.ts';
import { canAnalyseJobs, chooseNear, figuresOf, gradeOf, isSameOccupation } from './job-task.policy.ts';
import * as statements from './job-task.repository.ts';
import {
  type NearStatement,
  occupationUrl,
  toAllReferences,
  toFutureVision,
  toHeadline,
  toInsight,
  toJobTask,
  toReference,
  toRiskAssessment,
  type WeighedTask,
} from './job-task.view.ts';
import { type AskedJob, insertExchange, openJobThread } from './thread.repository.ts';

/** So many that those with the first word of a task are among them. */
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

/** Nothing found may mean that nothing is loaded yet, which is no answer. */
async function requireLoaded(db: Db): Promise<void> {
  if ((await getLoadedVersion(db)) === undefined)
    throw new AppError('server.unavailable', { retryAfterSeconds: RETRY_SECONDS });
}

const weigh = (id: number, title: string, near: NearStatement[]): WeighedTask => ({
  id: String(id),
  title,
  statements: near,
  figures: figuresOf(near),
});

/** The tasks with the statements nearest to each. */
async function weighTasks(db: Db, tasks: readonly string[]): Promise<WeighedTask[]> {
  const words = await statements.findWords(db, tasks);
  const unsure = misspelt(words);
  const alike = unsure.length > 0 ? await statements.findLikeSpellings(db, unsure) : [];
  const found = await statements.findNearStatements(db, weighWords(words, alike), CANDIDATES);
  if (found.length === 0) await requireLoaded(db);
  return tasks.map((task, index) => {
    const near = chooseNear(found.filter(({ position }) => position === index + 1));
    return weigh(index + 1, task, near);
  });
}

type Source = { code: string; title: string };

/** The tasks of the occupation a job's title is that of; each is its own statement. */
async function takeTasks(db: Db, jobTitle: string): Promise<{ occupation: Source | null; tasks: WeighedTask[] }> {
  const occupation = await statements.getNearestOccupation(db, jobTitle);
  if (!occupation) await requireLoaded(db);
  if (!occupation || !isSameOccupation(occupation)) return { occupation: null, tasks: [] };
  const own = await statements.findOccupationStatements(db, occupation.code, contract.MAX_JOB_TASKS);
  const tasks = own.map((row, index) => weigh(index + 1, row.statement, [{ ...row, similarity: 1 }]));
  return { occupation, tasks };
}

/** How AI bears on one task, by the published ratings of the statements nearest to it. */
export async function classifyTask(
  ctx: Ctx,
  viewer: UserViewer,
  { task: text, locale }: { task: string; locale: Locale },
): Promise<ReplyOf<typeof contract.classifyTask>> {
  await admit(ctx, viewer, 'classify-task');
  const translator = createTranslator(locale);
  const tasks = await weighTasks(ctx.db, [text]);
  const task = tasks[0]!; // one for each text
  return {
    riskAssessment: toRiskAssessment(task, translator),
    sensitivityGrade: task.figures ? gradeOf(task.figures.category) : null,
    overallRisk: task.figures?.overallRisk ?? null,
    references: task.statements.map(toReference),
    courses: (await findCourses(ctx, viewer, { tasks, locale })).courses,
    credit: translator.t('document.task.credit'),
  };
}

/** How AI bears on the tasks of a job, given or those of its occupation. The same question gets the same figures. */
export async function answerJob(
  ctx: Ctx,
  viewer: UserViewer,
  { jobTitle, tasks: given, locale }: AskedJob & { locale: Locale },
): Promise<z.output<typeof contract.JobAnalysis>> {
  const { occupation, tasks } =
    given.length > 0 ? { occupation: null, tasks: await weighTasks(ctx.db, given) } : await takeTasks(ctx.db, jobTitle);
  const { courses, ofTasks } = await findCourses(ctx, viewer, { tasks, about: jobTitle, locale });
  const translator = createTranslator(locale);
  const { t } = translator;
  return {
    headline: toHeadline(jobTitle, tasks, t),
    futureVision: toFutureVision(tasks, t),
    tasks: tasks.flatMap((task) => (task.figures ? [toJobTask(task, task.figures, ofTasks.get(task.id) ?? [])] : [])),
    unmatchedTasks: tasks.flatMap(({ id, title, figures }) => (figures ? [] : [{ id, title }])),
    taskInsights: tasks.map((task) => ({ taskId: task.id, text: toInsight(task, translator) })),
    occupation: occupation && {
      onetCode: occupation.code,
      title: occupation.title,
      url: occupationUrl(occupation.code),
    },
    references: toAllReferences(tasks),
    courses,
    credit: t('document.task.credit'),
  };
}

/** Answers about a job and keeps question and answer as a conversation of the viewer. */
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

/** Adds question and analysis to the viewer's conversation about the job; answers its id. */
async function keep(
  ctx: Ctx,
  viewer: UserViewer,
  job: AskedJob,
  analysis: z.output<typeof contract.JobAnalysis>,
): Promise<string> {
  const { jobTitle, organization, tasks } = job;
  const title = jobTitle.normalize('NFC').replace(/\s+/g, ' ');
  const titles = new Map([...analysis.tasks, ...analysis.unmatchedTasks].map((task) => [task.id, task.title]));
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
