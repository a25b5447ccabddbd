import { checkAnswer } from '@officium/contract/answers';
import { readLesson } from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { textLabels } from '#server/text/labels.ts';
import { renderMarkdown } from '#server/text/markdown.ts';

const test = await createTestApp();

const SOURCE = `Text.

:::quiz
Which? ![p](https://elsewhere.example/p.png)

- [ ] this
  > No, [see](https://a.example) <script>alert(1)</script>
- [x] that
  > Yes ![p](https://elsewhere.example/p.png)

> In general
:::

:::quiz{#count type=number answer=42 tolerance=1}
How many?
:::`;

async function lessonWith(sources: Record<string, string>, privacy?: 'closed-public') {
  const course = await makeCourse(test, { journeys: [{ privacy }] });
  const { key } = course.journey.lessons[1]!; // the first lesson is a preview
  await sql`delete from bodies where lesson_key = ${key}`.execute(test.ctx.db);
  for (const [locale, source] of Object.entries(sources)) {
    const { html } = renderMarkdown(source, { blocks: LESSON_BLOCKS, ...textLabels(locale as 'en') });
    await test.ctx.db.insertInto('bodies').values({ lesson_key: key, locale, source, html }).execute();
  }
  const learner = await makePerson(test);
  await enrol(test, learner, course.journey);
  return { course, learner };
}

const paramsOf = ({ slug, journey }: TestCourse, nth = 1) => ({
  courseSlug: slug,
  journeySlug: journey.slug,
  lessonSlug: journey.lessons[nth]!.slug,
});
const check = (as: As, course: TestCourse, body: object, nth?: number) =>
  test.call(checkAnswer, as, { params: paramsOf(course, nth), body });

describe('checkAnswer', () => {
  it('gives the feedback of the typed answer only, safe, before that of the question', async () => {
    const en =
      ':::quiz{type=number tolerance=1}\nHow many?\n\n- [x] 42\n  > Yes <script>alert(1)</script>\n- [ ] 24\n  > Swapped\n\n> In general\n:::';
    const { course, learner } = await lessonWith({ en });
    for (const [text, correct, feedback] of [
      ['43', true, /Yes.*In general/s],
      ['24', false, /Swapped.*In general/s],
      ['7', false, /^\s*<blockquote>\s*<p>In general/],
    ] as const) {
      const { body } = await check(learner.as, course, { quiz: '1', text });
      expect(body).toMatchObject({ correct, options: [], feedback: expect.stringMatching(feedback) });
      expect(JSON.stringify(body)).not.toContain('<script');
    }
  });

  it('tells whether the chosen options are right, with their feedback only', async () => {
    const { course, learner } = await lessonWith({ en: SOURCE });
    const wrong = await check(learner.as, course, { quiz: '1', choice: [1] });
    expect(wrong.status).toBe(200);
    expect(checkAnswer.replies[200].parse(wrong.body)).toEqual({
      correct: false,
      right: 0,
      total: 1,
      prompts: [],
      options: [
        {
          option: 1,
          correct: false,
          feedback:
            '<blockquote>\n<p>No, <a href="https://a.example" rel="nofollow ugc noopener">see</a> </p>\n</blockquote>\n',
        },
      ],
      feedback: '<blockquote>\n<p>In general</p>\n</blockquote>\n',
    });
    const right = checkAnswer.replies[200].parse((await check(learner.as, course, { quiz: '1', choice: [2] })).body);
    expect(right).toMatchObject({ correct: true, options: [{ option: 2, correct: true }] });
    expect(right.options[0]?.feedback).toBe('<blockquote>\n<p>Yes p</p>\n</blockquote>\n');
    expect((await check(learner.as, course, { quiz: 'count', text: ' 41,5 ' })).body).toEqual({
      correct: true,
      right: 1,
      total: 1,
      prompts: [],
      options: [],
      feedback: null,
    });
  });

  it('tells how many pairs are right, about answered prompts only', async () => {
    const source = ':::quiz{type=matching}\nWho?\n\n- a\n  - [x] one\n  > Told\n- b\n  - [x] two\n  > Untold\n:::';
    const { course, learner } = await lessonWith({ en: source });
    const { html } = readLesson.replies[200].parse(
      (await test.call(readLesson, learner.as, { params: paramsOf(course) })).body,
    ).lesson;
    const one = Number(/<option value="(\d)" label="one">/.exec(html)?.[1]);
    expect((await check(learner.as, course, { quiz: '1', places: [one, 0] })).body).toMatchObject({
      correct: false,
      right: 1,
      total: 2,
      prompts: [{ prompt: 1, correct: true, feedback: expect.stringContaining('Told') }],
    });
    for (const places of [[], [0, 0], [1], [1, 2, 1], [1, 3]])
      expect((await check(learner.as, course, { quiz: '1', places })).body).toMatchObject({
        code: 'learner.answer_missing',
      });
    for (const places of [[1, 'x'], Array(10_000).fill(1), { 0: 1 }, [1, -1]])
      expect((await check(learner.as, course, { quiz: '1', places })).status).toBe(400);
  });

  it('counts for nothing', async () => {
    const { course, learner } = await lessonWith({ en: SOURCE });
    const read = async () => (await test.call(readLesson, learner.as, { params: paramsOf(course) })).body;
    const before = await read();
    for (let times = 0; times < 3; times++) await check(learner.as, course, { quiz: '1', choice: [2] });
    expect(await read()).toEqual(before);
  });

  it('uses the key of the language that is shown', async () => {
    const swapped = SOURCE.replace('[ ] this', '[x] dies').replace('[x] that', '[ ] das');
    const { course, learner } = await lessonWith({ en: SOURCE, de: swapped });
    const correct = async (locale: string, choice: number) =>
      checkAnswer.replies[200].parse((await check(learner.as, course, { quiz: '1', choice: [choice], locale })).body)
        .correct;
    expect([await correct('de', 1), await correct('en', 1), await correct('fr', 2)]).toEqual([true, false, true]);
  });

  it('refuses an answer that is missing, to a former text or to no question', async () => {
    const { course, learner } = await lessonWith({ en: SOURCE });
    const code = async (body: object) => {
      const { status, body: reply } = await check(learner.as, course, body);
      return [status, (reply as { error?: { code?: string }; code?: string }).code];
    };
    for (const body of [
      { quiz: '1' },
      { quiz: '1', choice: [3] },
      { quiz: '1', text: 'that' },
      { quiz: 'count', text: ' ' },
    ])
      expect(await code(body)).toEqual([400, 'learner.answer_missing']);
    expect(await code({ quiz: '1', choice: [2], revision: 'x' })).toEqual([409, 'learner.question_changed']);
    expect((await code({ quiz: '3', choice: [1] }))[0]).toBe(404);
    for (const body of [
      {},
      { quiz: '' },
      { quiz: 'x'.repeat(65), choice: [1] },
      { quiz: '1', choice: ['a'] },
      { quiz: '1', choice: Array(51).fill(1) },
      { quiz: 'count', text: 'x'.repeat(501) },
    ])
      expect((await code(body))[0]).toBe(400);
    const { body } = await test.call(readLesson, learner.as, { params: paramsOf(course) });
    const revision = /name="revision" value="([^"]+)"/.exec(readLesson.replies[200].parse(body).lesson.html)?.[1];
    expect((await code({ quiz: '1', choice: [2], revision }))[0]).toBe(200);
  });

  it('is for those who may read the lesson', async () => {
    const { course } = await lessonWith({ en: SOURCE });
    const stranger = await makePerson(test);
    const answer = { quiz: '1', choice: [2] };
    expect((await check({}, course, answer)).status).toBe(401);
    expect((await check(stranger.as, course, answer)).status).toBe(403);
    expect((await check({}, course, answer, 0)).status).toBe(404); // a preview without questions
    const missing = { params: { ...paramsOf(course), courseSlug: 'nowhere' }, body: answer };
    expect((await test.call(checkAnswer, stranger.as, missing)).status).toBe(404);
  });
});

describe('readLesson', () => {
  it('shows questions without their keys and feedback', async () => {
    const { course, learner } = await lessonWith({ en: SOURCE });
    const { body } = await test.call(readLesson, learner.as, { params: paramsOf(course) });
    expect(JSON.stringify(body)).toContain('name=\\"choice\\" value=\\"2\\"> that');
    expect(JSON.stringify(body)).not.toMatch(/In general|see<|Yes|42|\[x\]|☑/);
  });
});
