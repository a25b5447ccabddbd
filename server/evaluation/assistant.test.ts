import { expect, it } from 'vitest';
import { importFolder } from '#server/areas/importing/import.service.ts';
import { readContentFolder } from '#server/areas/importing/folder-reader.format.ts';
import { DEMO_FOLDER } from '../demo/read.ts';
import { createTestApp } from '../test/app.ts';
import { askAll, askOffTopic, openAssistantClient, readOffTopic, readQuestions, type Result } from './assistant.ts';

// `npm run eval:assistant` prints the figures; the test suite only asserts them.
const isVerbose = process.env['npm_lifecycle_event'] === 'eval:assistant';
const print = (line: string) => void (isVerbose && process.stdout.write(`${line}\n`));
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

const LESSONS = [
  'plain-language/main-point-first',
  'responsible-ai/right-task',
  'service-design/listen-first',
  'budgets-and-evidence/compare-fairly',
];

async function open(folder: string) {
  const test = await createTestApp();
  const reading = await readContentFolder(folder);
  if (!reading.folder) throw new Error(`The content of ${folder} has faults`);
  await importFolder(test.ctx, reading.folder, reading.assets);
  return await openAssistantClient(test);
}

function report(name: string, results: Result[]): void {
  print(`\n| ${name} | questions | right passage among the first three | right lesson |\n|---|---:|---:|---:|`);
  const groups = Map.groupBy(results, ({ question }) => `${question.in.split('/')[0]}, ${question.locale}`);
  for (const [group, some] of [...groups, ['all', results] as const]) {
    const right = some.filter(({ isRight }) => isRight).length;
    const lesson = some.filter(({ isRightLesson }) => isRightLesson).length;
    print(`| ${group} | ${some.length} | ${percent(right, some.length)} | ${percent(lesson, some.length)} |`);
  }
  for (const { question, references } of results.filter(({ isRight }) => !isRight)) {
    print(`\nmissed: ${question.ask}`);
    for (const { title, quote } of references) print(`   ${title}: ${quote.slice(0, 100)}`);
  }
}

const demo = await open(DEMO_FOLDER);

it(
  'finds the right passage of the demo courses among the first three references for nine questions in ten',
  { timeout: 120_000 },
  async () => {
    const questions = await readQuestions('demo-questions');
    expect(questions.length).toBeGreaterThanOrEqual(60);
    const results = await askAll(demo, questions);
    report('demo courses', results);
    expect(results.filter(({ isRight }) => isRight).length / results.length).toBeGreaterThanOrEqual(0.9);
  },
);

it('declines nineteen in twenty questions that the courses do not cover', { timeout: 120_000 }, async () => {
  const questions = await readOffTopic();
  expect(questions.length).toBeGreaterThanOrEqual(40);
  const { asked, declined, answered } = await askOffTopic(demo, questions, LESSONS);
  print(`\n| off topic | asked | declined |\n|---|---:|---:|\n| all | ${asked} | ${percent(declined, asked)} |`);
  for (const { ask, lesson, quote } of answered) print(`\nanswered in ${lesson}: ${ask}\n   ${quote.slice(0, 100)}`);
  expect(declined / asked).toBeGreaterThanOrEqual(0.95);
});

const other = process.env['EVAL_COURSES'];
if (other)
  it('does as well with a course it was not tuned on', { timeout: 300_000 }, async () => {
    const client = await open(other);
    const results = await askAll(client, await readQuestions('security-questions'));
    report('Security-101', results);
    const { asked, declined } = await askOffTopic(client, await readOffTopic(), ['security-101/1-5-zero-trust']);
    print(
      `\n| off topic, Security-101 | asked | declined |\n|---|---:|---:|\n| all | ${asked} | ${percent(declined, asked)} |`,
    );
    expect(results.filter(({ isRight }) => isRight).length / results.length).toBeGreaterThanOrEqual(0.9);
    expect(declined / asked).toBeGreaterThanOrEqual(0.95);
  });
