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

/** What all statements say together. That there is none means that nothing is loaded yet, which is no answer. */
async function averageAll(db: Db): Promise<Figures> {
  const ratings = await statements.findRatings(db);
  const figures = figuresOf(ratings.map(({ count, ...rating }) => ({ ...rating, similarity: count })));
  if (!figures) throw new AppError('server.unavailable', { retryAfterSeconds: RETRY_SECONDS });
  return figures;
}

type ComparedTask = { title: string; near: NearStatement[]; leastUnlike: NearStatement[] };

/** What is to be said of each task, from the statements it was compared with. */
async function weigh(db: Db, tasks: readonly ComparedTask[]): Promise<WeighedTask[]> {
  const weighed = tasks.map(({ title, near, leastUnlike }, index) => {
    const isNear = near.length > 0;
    const found = isNear ? near : leastUnlike;
    return { id: String(index + 1), title, statements: found, figures: figuresOf(found), isNear };
  });
  const average = weighed.every(({ figures }) => figures) ? undefined : await averageAll(db);
  return weighed.map((task) => ({ ...task, figures: (task.figures ?? average)! })); // there is one where it is missing
}

/** The tasks with the statements nearest to each, or least unlike it. */
async function weighTasks(db: Db, tasks: readonly string[]): Promise<WeighedTask[]> {
  const words = await statements.findWords(db, tasks);
  const unsure = misspelt(words);
  const alike = unsure.length > 0 ? await statements.findLikeSpellings(db, unsure) : [];
  const asked = weighWords(words, alike);
  const found = await statements.findNearStatements(db, asked, { words: 2, limit: CANDIDATES });
  const isFound = new Set(found.map(({ position }) => position));
  const others = asked.filter(({ position }) => !isFound.has(position));
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

/** The tasks of the occupation nearest to a job's title, each its own statement; the title itself where none is like it. */
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
    sensitivityGrade: gradeOf(task.figures.category),
    overallRisk: task.figures.overallRisk,
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
