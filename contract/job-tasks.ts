import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_TASK_LENGTH = 500;
export const MAX_JOB_TITLE_LENGTH = 200;
/** Of one job, given or taken from its occupation. */
export const MAX_JOB_TASKS = 20;
/** Of each operation and person. */
export const JOB_TASK_REQUESTS_AN_HOUR = 30;
/** Of a person, of analyses made before. */
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
  .describe('E0 none, E1 a language model alone at least halves the time, E2 tools built on one do');

export const StatementReference = z
  .object({
    title: z.string().describe('The occupation the statement belongs to, in English'),
    url: z.string().describe('The occupation at O*NET'),
    quote: z.string().describe('The statement, word for word, in English'),
    onetCode: z.string().describe('O*NET-SOC code of the occupation'),
    taskId: z.int().describe('O*NET’s id of the task'),
    exposure: share.describe('The mean of the two ratings, E0 as 0, E2 as 0.5, E1 as 1'),
    ratings: z.object({ model: ExposureLabel, people: ExposureLabel }),
    automation: share.describe('0 none to 1 full, in quarters'),
    similarity: share.describe(
      'To the task asked about; 1 when it is that statement. What it counts by in the figures',
    ),
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
  courses: z.array(HelpfulCourse).describe('Courses this reader may see that are about the tasks, best first'),
  credit: z.string().describe('Whose statements and ratings these are; show it wherever a figure is shown'),
};
const locale = LocaleCode.optional().describe('The language of the answer; that of the request when left out');
const FIGURES =
  'Each figure is a mean of published ratings of the O*NET task statements nearest to a task, which stand in `references`; ' +
  'docs/futura.md has the formulas. Where no statement is near, the figures are a mean of those least unlike the task, or ' +
  'of all statements where it shares no word with any: the text says that no comparable task was found and that they say ' +
  'little. The statements are English, so this is so of a task in another language. ' +
  `For public servants and administrators, at most ${JOB_TASK_REQUESTS_AN_HOUR} an hour.`;

export const classifyTask = endpoint({
  name: 'classifyTask',
  service: 'ai',
  method: 'POST',
  path: '/futura/me/classify-task',
  auth: 'user',
  summary: 'classify a job task',
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
        .describe('high: a language model alone bears on the task; medium: with tools built on one; low: hardly'),
      overallRisk: percentage,
      references: z
        .array(StatementReference)
        .describe('What the figures rest on, nearest first; none where that is all statements'),
      ...shared,
    }),
  },
});

const TaskId = z.string().describe('The place of the task in the list, from 1');
export const JobTask = z
  .object({
    id: TaskId,
    title: z.string(),
    categoryId: z
      .enum(TASK_CATEGORIES)
      .describe('direct: a language model alone bears on it; with-tools: tools built on one; unexposed: hardly'),
    riskPercentage: percentage.describe('How far it can be automated'),
    effortPercentage: percentage.describe('How far its effort is exposed to language models'),
    references: z
      .array(StatementReference)
      .describe('What its figures rest on, nearest first; none where that is all statements'),
    courses: z.array(HelpfulCourse).describe('Courses this reader may see that are about this task, best first'),
  })
  .meta({ id: 'JobTask' });
export type JobTask = z.output<typeof JobTask>;

export const JobAnalysis = z.object({
  headline: z.string(),
  futureVision: z.string(),
  tasks: z.array(JobTask).describe('Every task, in the order given'),
  unmatchedTasks: z
    .array(z.object({ id: TaskId, title: z.string() }))
    .describe('Those of them without a near statement, whose figures say little'),
  taskInsights: z.array(z.object({ taskId: TaskId, text: z.string() })).describe('One for every task, in their order'),
  occupation: z
    .object({
      onetCode: z.string(),
      title: z.string(),
      url: z.string(),
      isNear: z.boolean().describe('false: no occupation has such a title, and this is the least unlike'),
    })
    .nullable()
    .describe('The occupation the tasks were taken from; null when they were given, or when none is like the title'),
  references: z.array(StatementReference).describe('Those of all tasks, each once'),
  ...shared,
});

export const analyseJob = endpoint({
  name: 'analyseJob',
  service: 'ai',
  method: 'POST',
  path: '/futura/me/risk-analysis',
  auth: 'user',
  summary: 'analyse how AI changes a job’s tasks',
  description:
    `${FIGURES} Without tasks, those of the O*NET occupation with the nearest title are taken; where none is like the ` +
    'title, it stands for the one task itself. The analysis is kept as a conversation of the person, one for each job ' +
    'title, which the list of conversations shows and can delete.',
  body: z.object({
    jobTitle: text({ min: 1, max: MAX_JOB_TITLE_LENGTH, name: 'Job title' }),
    organization: text({ max: MAX_JOB_TITLE_LENGTH, name: 'Organization' }).optional(),
    tasks: z
      .array(text({ min: 1, max: MAX_TASK_LENGTH, name: 'Task' }))
      .max(MAX_JOB_TASKS, `At most ${MAX_JOB_TASKS} tasks`)
      .optional()
      .describe('An empty list is as none'),
    locale,
  }),
  replies: { 200: JobAnalysis.extend({ threadId: Uuid }) },
});

const AskedJob = z.object({
  threadId: Uuid,
  jobTitle: z.string(),
  organization: z.string().nullable(),
  askedAt: Timestamp.describe('When it was last asked'),
});

export const JobAnalysisCard = AskedJob.extend({
  tasks: z.int().describe('How many were given; 0 where those of the occupation were taken'),
}).meta({ id: 'JobAnalysisCard' });
export type JobAnalysisCard = z.output<typeof JobAnalysisCard>;

export const listJobAnalyses = endpoint({
  name: 'listJobAnalyses',
  service: 'ai',
  method: 'GET',
  path: '/futura/me/risk-analyses',
  extension: true,
  auth: 'user',
  summary: 'my analyses of jobs',
  description:
    'Those last asked first, one for each job title. Nobody else reads them; each is deleted as the conversation it is.',
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
  summary: 'an analysis of mine',
  description:
    'What was last asked about the job, answered again from the same statements: in the language asked for ' +
    `and with the courses the reader may see now. At most ${JOB_ANALYSIS_READS_AN_HOUR} an hour.`,
  params: z.object({ threadId: Uuid }),
  query: z.object({ locale }),
  replies: {
    200: JobAnalysis.extend(AskedJob.shape).extend({
      given: z
        .array(z.string())
        .describe('The tasks that were asked about; none where those of the occupation were taken'),
    }),
  },
  errors: ['request.not_found'],
});
