import { expect, it } from 'vitest';
import { importFolder } from '#server/areas/importing/import.service.ts';
import { readContentFolder } from '#server/areas/importing/folder-reader.format.ts';
import { DEMO_FOLDER } from '../demo/read.ts';
import { createTestApp } from '../test/app.ts';
import { askAll, askOffTopic, openAsker, readOffTopic, readQuestions, type Result } from './assistant.ts';

// `npm run eval:assistant` prints the figures; as a part of the tests it only holds them.
const isAsked = process.env['npm_lifecycle_event'] === 'eval:assistant';
const say = (line: string) => void (isAsked && process.stdout.write(`${line}\n`));
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
  return await openAsker(test);
}

function report(name: string, results: Result[]): void {
  say(`\n| ${name} | questions | right passage among the first three | right lesson |\n|---|---:|---:|---:|`);
  const groups = Map.groupBy(results, ({ question }) => `${question.in.split('/')[0]}, ${question.locale}`);
  for (const [group, some] of [...groups, ['all', results] as const]) {
    const right = some.filter(({ isRight }) => isRight).length;
    const lesson = some.filter(({ isRightLesson }) => isRightLesson).length;
    say(`| ${group} | ${some.length} | ${percent(right, some.length)} | ${percent(lesson, some.length)} |`);
  }
  for (const { question, references } of results.filter(({ isRight }) => !isRight)) {
    say(`\nmissed: ${question.ask}`);
    for (const { title, quote } of references) say(`   ${title}: ${quote.slice(0, 100)}`);
  }
}

const demo = await open(DEMO_FOLDER);

it(
  'quotes the right passage of the demo courses among the first three, nine times in ten',
  { timeout: 120_000 },
  async () => {
    const questions = await readQuestions('demo-questions');
    expect(questions.length).toBeGreaterThanOrEqual(60);
    const results = await askAll(demo, questions);
    report('demo courses', results);
    expect(results.filter(({ isRight }) => isRight).length / results.length).toBeGreaterThanOrEqual(0.9);
  },
);

it(
  'says of what the courses do not speak of that nothing answers, nineteen times in twenty',
  { timeout: 120_000 },
  async () => {
    const questions = await readOffTopic();
    expect(questions.length).toBeGreaterThanOrEqual(40);
    const { asked, declined, answered } = await askOffTopic(demo, questions, LESSONS);
    say(`\n| off topic | asked | declined |\n|---|---:|---:|\n| all | ${asked} | ${percent(declined, asked)} |`);
    for (const { ask, lesson, quote } of answered) say(`\nanswered in ${lesson}: ${ask}\n   ${quote.slice(0, 100)}`);
    expect(declined / asked).toBeGreaterThanOrEqual(0.95);
  },
);

const other = process.env['EVAL_COURSES'];
if (other)
  it('does as well with a course it was not made with', { timeout: 300_000 }, async () => {
    const asker = await open(other);
    const results = await askAll(asker, await readQuestions('security-questions'));
    report('Security-101', results);
    const { asked, declined } = await askOffTopic(asker, await readOffTopic(), ['security-101/1-5-zero-trust']);
    say(
      `\n| off topic, Security-101 | asked | declined |\n|---|---:|---:|\n| all | ${asked} | ${percent(declined, asked)} |`,
    );
    expect(results.filter(({ isRight }) => isRight).length / results.length).toBeGreaterThanOrEqual(0.9);
    expect(declined / asked).toBeGreaterThanOrEqual(0.95);
  });
