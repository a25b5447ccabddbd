import { readFile } from 'node:fs/promises';
import { askLesson, type Reference } from '@officium/contract/ai';
import { LocaleCode } from '@officium/contract/common';
import { parse } from 'yaml';
import { z } from 'zod';
import type { TestApp } from '../test/app.ts';
import { makePerson } from '../test/factories/accounts.ts';

const place = z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/);
const Question = z.strictObject({
  in: place,
  stands: place.optional(),
  locale: LocaleCode.default('en'),
  ask: z.string(),
  right: z.array(z.string()).min(1),
});
const OffTopic = z.strictObject({ locale: LocaleCode, ask: z.string() });
export type Question = z.output<typeof Question>;
export type OffTopic = z.output<typeof OffTopic>;

async function readList<T extends z.ZodType>(name: string, item: T): Promise<z.output<T>[]> {
  const text = await readFile(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  return z.array(item).parse(parse(text));
}
export const readQuestions = async (name: string) => await readList(name, Question);
export const readOffTopic = async () => await readList('off-topic-questions', OffTopic);

/** An administrator who asks questions through the API as the page does. */
export async function openAssistantClient(test: TestApp) {
  const person = await makePerson(test, { role: 'administrator' });
  const rows = await test.ctx.db
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select(['c.slug as course', 'j.slug as journey', 'l.slug as lesson'])
    .where('l.withdrawn_at', 'is', null)
    .execute();
  const places = new Map(rows.map((row) => [`${row.course}/${row.lesson}`, row]));
  return {
    lessons: [...places.keys()],
    async ask(query: string, lesson: string, locale: string): Promise<Reference[]> {
      const at = places.get(lesson);
      if (!at) throw new Error(`There is no lesson ${lesson}`);
      const { status, body } = await test.call(askLesson, person.as, {
        body: { query, locale, courseSlug: at.course, journeySlug: at.journey, lessonSlug: at.lesson },
      });
      if (status !== 200) throw new Error(`${lesson} answered ${status}: ${JSON.stringify(body)}`);
      return body.references;
    },
  };
}
export type AssistantClient = Awaited<ReturnType<typeof openAssistantClient>>;

const flat = (text: string) => text.replace(/\s+/g, ' ').toLowerCase();

export type Result = { question: Question; references: Reference[]; isRight: boolean; isRightLesson: boolean };

/** Asks each question and looks for the expected passage among the first three references. */
export async function askAll(client: AssistantClient, questions: Question[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const question of questions) {
    const references = (await client.ask(question.ask, question.in, question.locale)).slice(0, 3);
    const lesson = (question.stands ?? question.in).split('/')[1] ?? '';
    const there = references.filter(({ url }) => new URL(url).pathname.endsWith(`/${lesson}`));
    const isRight = there.some(({ quote }) => question.right.some((piece) => flat(quote).includes(flat(piece))));
    results.push({ question, references, isRight, isRightLesson: there.length > 0 });
  }
  return results;
}

/** Counts the off-topic questions that are declined, each asked in a lesson of every course. */
export async function askOffTopic(client: AssistantClient, questions: OffTopic[], lessons: string[]) {
  const answered: { ask: string; lesson: string; quote: string }[] = [];
  let asked = 0;
  for (const { ask, locale } of questions)
    for (const lesson of lessons) {
      asked += 1;
      const [first] = await client.ask(ask, lesson, locale);
      if (first) answered.push({ ask, lesson, quote: first.quote });
    }
  return { asked, declined: asked - answered.length, answered };
}
