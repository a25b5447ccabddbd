import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_TASK_LENGTH = 500;
export const MAX_JOB_TITLE_LENGTH = 200;
/** Maximum number of tasks per job, given or taken from its occupation. */
export const MAX_JOB_TASKS = 20;
/** Limit per operation and user. */
export const JOB_TASK_REQUESTS_AN_HOUR = 30;
/** Limit per user for reading stored analyses. */
export const JOB_ANALYSIS_READS_AN_HOUR = 300;
export const JOB_ANALYSIS_PAGE_SIZE = 10;

export const LEVELS = ['low', 'medium', 'high'] as const;
export type Level = (typeof LEVELS)[number];

export const TASK_CATEGORIES = ['unexposed', 'with-tools', 'direct'] as const;
export type TaskCategory = (typeof TASK_CATEGORIES)[number];

const share = z.number().min(0).max(1);
const percentage = z.int().min(0).max(100);
const ExposureLabel = z
  .enum(['E0', 'E1', 'E2'])
  .describe('E0: no exposure · E1: a language model alone at least halves the time · E2: tools built on one do');

export const StatementReference = z
  .object({
    title: z.string().describe('Occupation of the statement, in English'),
    url: z.string().describe('Address of the occupation at O*NET'),
    quote: z.string().describe('The statement, word for word in English'),
    onetCode: z.string().describe('O*NET-SOC code of the occupation'),
    taskId: z.int().describe('O*NET task id'),
    exposure: share.describe('Mean of the two ratings, with E0 as 0, E2 as 0.5 and E1 as 1'),
    ratings: z.object({ model: ExposureLabel, people: ExposureLabel }),
    automation: share.describe('From 0 (none) to 1 (full), in steps of 0.25'),
    similarity: share.describe('Similarity to the task, and its weight in the figures; 1 for the statement itself'),
  })
  .meta({ id: 'StatementReference' });
export type StatementReference = z.output<typeof StatementReference>;

export const HelpfulCourse = z
  .object({
    id: z.string(),
    type: z.enum(['course', 'microcourse']),
    slug: z.string(),
    title: z.string(),
    shownLocale: LocaleCode,
    url: z.string(),
  })
  .meta({ id: 'HelpfulCourse' });
export type HelpfulCourse = z.output<typeof HelpfulCourse>;

const shared = {
  courses: z.array(HelpfulCourse).describe('Courses about the tasks that the caller may see, best first'),
  credit: z.string().describe('Credit for statements and ratings; show it wherever a figure is shown'),
};
const locale = LocaleCode.optional().describe('Language of the reply; defaults to that of the request');
const FIGURES = `Each figure is a mean of published ratings of the O*NET task statements nearest to a task, listed in \`references\`; docs/futura.md has the formulas. If no statement is near, the figures are a mean of the least dissimilar ones, or of all statements if no word is shared; the text then says that no comparable task was found and that the figures mean little. The statements are English, so this applies to tasks in other languages. For public servants and administrators, at most ${JOB_TASK_REQUESTS_AN_HOUR} an hour.`;

export const classifyTask = endpoint({
  name: 'classifyTask',
  service: 'ai',
  method: 'POST',
  path: '/futura/me/classify-task',
  auth: 'user',
  summary: 'Classify a job task',
  description: FIGURES,
  body: z.object({ task: text({ min: 1, max: MAX_TASK_LENGTH, name: 'Task' }), locale }),
  replies: {
    200: z.object({
      riskAssessment: z.object({
        summary: z.string(),
        factors: z.array(z.object({ name: z.string(), level: z.enum(LEVELS), reason: z.string() })),
      }),
      sensitivityGrade: z
        .enum(LEVELS)
        .describe(
          'high: affected by a language model alone · medium: affected with tools built on one · low: hardly affected',
        ),
      overallRisk: percentage,
      references: z
        .array(StatementReference)
        .describe('Statements behind the figures, nearest first; empty when all statements were used'),
      ...shared,
    }),
  },
});

const TaskId = z.string().describe('Position of the task in the list, from 1');
export const JobTask = z
  .object({
    id: TaskId,
    title: z.string(),
    categoryId: z
      .enum(TASK_CATEGORIES)
      .describe(
        'direct: affected by a language model alone · with-tools: affected with tools built on one · unexposed: hardly affected',
      ),
    riskPercentage: percentage.describe('Share of the task that can be automated'),
    effortPercentage: percentage.describe('Share of its effort exposed to language models'),
    references: z
      .array(StatementReference)
      .describe('Statements behind its figures, nearest first; empty when all statements were used'),
    courses: z.array(HelpfulCourse).describe('Courses about this task that the caller may see, best first'),
  })
  .meta({ id: 'JobTask' });
export type JobTask = z.output<typeof JobTask>;

export const JobAnalysis = z.object({
  headline: z.string(),
  futureVision: z.string(),
  tasks: z.array(JobTask).describe('All tasks in the given order'),
  unmatchedTasks: z
    .array(z.object({ id: TaskId, title: z.string() }))
    .describe('Tasks without a near statement, whose figures mean little'),
  taskInsights: z.array(z.object({ taskId: TaskId, text: z.string() })).describe('One insight per task, in order'),
  occupation: z
    .object({
      onetCode: z.string(),
      title: z.string(),
      url: z.string(),
      isNear: z.boolean().describe('false: no occupation has a similar title; this is the least dissimilar one'),
    })
    .nullable()
    .describe('The occupation the tasks were taken from; null when tasks were given or no title is similar'),
  references: z.array(StatementReference).describe('Statements of all tasks, without duplicates'),
  ...shared,
});

export const analyseJob = endpoint({
  name: 'analyseJob',
  service: 'ai',
  method: 'POST',
  path: '/futura/me/risk-analysis',
  auth: 'user',
  summary: "Analyse how AI changes a job's tasks",
  description: `${FIGURES} Without \`tasks\`, those of the O*NET occupation with the nearest title are used; if no title is similar, the job title itself is the only task. The analysis is stored as a thread of the user, one per job title; it appears in the list of threads and can be deleted there.`,
  body: z.object({
    jobTitle: text({ min: 1, max: MAX_JOB_TITLE_LENGTH, name: 'Job title' }),
    organization: text({ max: MAX_JOB_TITLE_LENGTH, name: 'Organization' }).optional(),
    tasks: z
      .array(text({ min: 1, max: MAX_TASK_LENGTH, name: 'Task' }))
      .max(MAX_JOB_TASKS, `At most ${MAX_JOB_TASKS} tasks`)
      .optional()
      .describe('An empty list counts as omitted'),
    locale,
  }),
  replies: { 200: JobAnalysis.extend({ threadId: Uuid }) },
});

const JobRequest = z.object({
  threadId: Uuid,
  jobTitle: z.string(),
  organization: z.string().nullable(),
  askedAt: Timestamp.describe('Time of the last request'),
});

export const JobAnalysisCard = JobRequest.extend({
  tasks: z.int().describe('Number of given tasks; 0 when those of the occupation were used'),
}).meta({ id: 'JobAnalysisCard' });
export type JobAnalysisCard = z.output<typeof JobAnalysisCard>;

export const listJobAnalyses = endpoint({
  name: 'listJobAnalyses',
  service: 'ai',
  method: 'GET',
  path: '/futura/me/risk-analyses',
  extension: true,
  auth: 'user',
  summary: 'List my job analyses, most recently requested first',
  description: 'One per job title. They are private to their owner and deleted with their thread.',
  query: z.object({ limit: limitParam(JOB_ANALYSIS_PAGE_SIZE), offset: offsetParam() }),
  replies: { 200: z.object({ analyses: z.array(JobAnalysisCard), total: z.int() }) },
});

export const readJobAnalysis = endpoint({
  name: 'readJobAnalysis',
  service: 'ai',
  method: 'GET',
  path: '/futura/me/risk-analyses/{threadId}',
  extension: true,
  auth: 'user',
  summary: 'Read one of my job analyses',
  description: `Recomputes the last request about the job from the same statements, in the requested language and with the courses the caller may see now. At most ${JOB_ANALYSIS_READS_AN_HOUR} an hour.`,
  params: z.object({ threadId: Uuid }),
  query: z.object({ locale }),
  replies: {
    200: JobAnalysis.extend(JobRequest.shape).extend({
      given: z.array(z.string()).describe('The given tasks; empty when those of the occupation were used'),
    }),
  },
  errors: ['request.not_found'],
});
