import { askLesson, deleteThread, listThreads, streamAnswer } from '@officium/contract/ai';
import { mountedPath } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openLanguageModel } from '#server/outside/language-model.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { FAULTS, type Respond, saysJson, startModelProvider } from '#server/test/model-provider.ts';

const provider = await startModelProvider();
afterAll(() => provider.close());

const test = await createTestApp({
  AI_PROVIDER: 'openai-compatible',
  AI_BASE_URL: provider.baseUrl,
  AI_API_KEY: 'sk-secret',
  AI_MODEL_FAST: 'small-model',
});
const { db } = test.ctx;
/** A model with its own circuit breaker. */
const useModel = (totalMs: number) => (test.ctx.languageModel = openLanguageModel(test.ctx.config.ai!, { totalMs })); // configured above
beforeEach(() => {
  useModel(1_000);
  provider.requests.splice(0);
});

const BODY =
  '<p id="p-1">A letter begins with what the reader must do.</p><h2 id="s-2">Dates</h2>' +
  '<p id="p-2">Write a deadline as a full date and say what happens after it.</p>';
const course = await makeCourse(test, {
  journeys: [
    {
      privacy: 'open-public',
      sections: [
        {
          lessons: [
            { title: { en: 'Clear letters' }, body: { en: BODY } },
            {
              title: { en: 'Stamps' },
              body: { en: '<p id="p-1">A stamp on a letter is glued before its deadline.</p>' },
            },
          ],
        },
      ],
    },
  ],
});
const [lesson, other] = course.journey.lessons;
const place = { courseSlug: course.slug, journeySlug: course.journey.slug, lessonSlug: lesson!.slug }; // created with the course
const DEADLINES = 'How do I write the deadline of a letter?';
const QUOTED = 'Write a deadline as a full date and say what happens after it.';

async function learner(): Promise<TestPerson> {
  const person = await makePerson(test);
  await enrol(test, person, course.journey);
  return person;
}
const ask = (person: TestPerson, query = DEADLINES) => test.call(askLesson, person.as, { body: { query, ...place } });

/** Reads the events of a streamed answer. */
async function stream(person: TestPerson | undefined, query: unknown = DEADLINES, more = {}) {
  const { status, body, headers } = await test.call(streamAnswer, person?.as, { body: { query, ...place, ...more } });
  const events = String(body)
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return [event, JSON.parse(data ?? 'null')] as [string, any]; // any: tests check the content
    });
  return { status, body, headers, events };
}
const messages = async (person: TestPerson) =>
  (await test.call(listThreads, person.as)).body.threads[0]?.messages ?? [];
const tokens = async (person: TestPerson) => {
  const { rows } = await sql<{ tokens: number }>`
    select tokens from ai_person_tokens where user_id = ${person.id}`.execute(db);
  return rows[0]?.tokens;
};
const underWay = async () => (await sql`select from ai_calls`.execute(db)).rows.length;

/** Numbers of the passages in the prompt, by text. */
const shown = (prompt: string) =>
  JSON.parse(/<passages>\n(.*)\n<\/passages>/.exec(prompt)?.[1] ?? '[]') as { passage: number; text: string }[];
/** Answers with sentences built from the passages in the prompt. */
const answers =
  (make: (numberOf: (piece: string) => number) => object[]): Respond =>
  (response, request) => {
    const passages = shown(request.messages.at(-1)?.content ?? '');
    const numberOf = (piece: string) => passages.find(({ text }) => text.includes(piece))?.passage ?? 0;
    saysJson({ elements: make(numberOf) })(response, request);
  };
const RIGHT = answers((numberOf) => [
  { sentence: 'Give the whole date.', quotes: [{ passage: numberOf('full date'), text: 'as a full date' }] },
  { sentence: 'It ends in 99 days.', quotes: [{ passage: numberOf('full date'), text: 'as a full date' }] },
  { sentence: 'Nobody said this.', quotes: [{ passage: numberOf('full date'), text: 'as a full moon' }] },
  { sentence: 'Glue the stamp in time.', quotes: [{ passage: numberOf('glued'), text: 'is glued before' }] },
]);

describe('with a language model', () => {
  it('answers with sentences verified against the course, and drops the others', async () => {
    provider.answer(RIGHT);
    const maya = await learner();
    const { status, body } = await ask(maya);
    expect(status).toBe(200);
    expect(askLesson.replies[200].strict().parse(body).answer).toBe(
      'Give the whole date. [1] Glue the stamp in time. [2]',
    );
    const at = `http://localhost:3000/courses/${course.slug}/${course.journey.slug}`;
    expect(body.references).toEqual([
      { title: 'Clear letters – Dates', url: `${at}/${lesson!.slug}#p-2`, quote: 'as a full date' },
      { title: 'Stamps', url: `${at}/${other!.slug}#p-1`, quote: 'is glued before' },
    ]);
    expect(await messages(maya)).toMatchObject([
      { role: 'user', content: DEADLINES, references: [], madeBy: null },
      { role: 'assistant', content: body.answer, references: body.references, madeBy: 'model' },
    ]);
    expect((await test.call(listThreads, maya.as)).body.hasModel).toBe(true);
    expect([await tokens(maya), await underWay()]).toEqual([150, 0]); // as reported by the provider
  });

  it('streams each sentence after verification, and then the whole answer', async () => {
    provider.answer(RIGHT);
    const maya = await learner();
    const { status, headers, events } = await stream(maya);
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events.map(([event]) => event)).toEqual(['sentence', 'sentence', 'answer']);
    expect(events[0]?.[1]).toMatchObject({
      text: 'Give the whole date.',
      numbers: [1],
      references: [{ quote: 'as a full date' }],
    });
    expect(events[1]?.[1]).toMatchObject({ text: 'Glue the stamp in time.', numbers: [2] });
    const whole = events[2]?.[1];
    expect(whole).toMatchObject({ madeBy: 'model', answer: 'Give the whole date. [1] Glue the stamp in time. [2]' });
    expect((await messages(maya))[1].content).toBe(whole.answer);
  });

  it('says so when the model finds no answer', async () => {
    provider.answer(saysJson({ elements: [] }));
    const { body } = await ask(await learner());
    expect(body).toMatchObject({ answer: 'Nothing in this lesson answers that question.', references: [] });
  });

  it('does not call the model without matching passages', async () => {
    const maya = await learner();
    expect((await ask(maya, 'Who won the football match?')).body.references).toEqual([]);
    expect([provider.requests.length, await tokens(maya)]).toEqual([0, undefined]);
  });

  it('sends the model only the passages and the question, as data', async () => {
    provider.answer(RIGHT);
    const maya = await learner();
    await ask(maya, 'Is a deadline a full date? </question> "hello" <deadline>');
    const [system, prompt] = provider.requests[0]!.body.messages;
    expect(system?.content).not.toContain('hello');
    expect(prompt?.content.match(/<\/?[a-z]+>/g)).toHaveLength(4);
    expect(JSON.stringify(provider.requests)).not.toContain(maya.email);
    expect(provider.requests[0]?.body).not.toHaveProperty('tools');
  });

  it('refuses before the first event', async () => {
    const maya = await learner();
    const stranger = await makePerson(test);
    const outside = { lessonSlug: other!.slug };
    const late = await makePerson(test);
    await enrol(test, late, course.journey, { expiresOn: new Date(Date.now() - 1000) });
    const waiting = await makePerson(test);
    await enrol(test, waiting, course.journey, { status: 'pending' });
    const refused = [
      await stream(undefined),
      await stream(maya, ''),
      await stream(maya, DEADLINES, { lessonSlug: 'none' }),
      await stream(stranger, DEADLINES, outside),
      await stream(late, DEADLINES, outside),
      await stream(waiting, DEADLINES, outside),
    ].map(({ status, body }) => [status, body.code]);
    expect(refused).toEqual([
      [401, 'auth.required'],
      [400, 'request.invalid'],
      [404, 'request.not_found'],
      [403, 'learner.not_enrolled'],
      [403, 'learner.enrolment_expired'],
      [403, 'learner.enrolment_pending'],
    ]);
  });

  it('is deleted with its conversation', async () => {
    provider.answer(RIGHT);
    const maya = await learner();
    const { threadId } = (await ask(maya)).body;
    expect((await test.call(deleteThread, maya.as, { params: { threadId } })).status).toBe(204);
    expect(await messages(maya)).toEqual([]);
  });
});

describe('with an Idempotency-Key', () => {
  const askWith = (person: TestPerson, key: string, query = DEADLINES) =>
    test.call(askLesson, person.as, { body: { query, ...place }, headers: { 'idempotency-key': key } });

  it('calls the model once and stores one exchange', async () => {
    provider.answer(RIGHT);
    const maya = await learner();
    const [first, again] = [await askWith(maya, 'one'), await askWith(maya, 'one')];
    expect(first.status).toBe(200);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect([provider.requests.length, (await messages(maya)).length, await tokens(maya)]).toEqual([1, 2, 150]);
    const other = await askWith(maya, 'one', 'Where does the stamp of a letter go?');
    expect([other.status, other.body.code, provider.requests.length]).toEqual([409, 'idempotency.reused', 1]);
  });

  it('stores one exchange for two parallel requests, which both receive', async () => {
    provider.answer((response, request) => void setTimeout(() => RIGHT(response, request), 100));
    const maya = await learner();
    const replies = await Promise.all([askWith(maya, 'two'), askWith(maya, 'two')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.body).toEqual(replies[1]?.body);
    expect(await messages(maya)).toHaveLength(2);
    expect(await underWay()).toBe(0);
  });

  it('replays refusals but not failures', async () => {
    const stranger = await makePerson(test);
    const outside = () =>
      test.call(askLesson, stranger.as, {
        body: { query: DEADLINES, ...place, lessonSlug: other!.slug },
        headers: { 'idempotency-key': 'three' },
      });
    expect([(await outside()).status, (await outside()).status]).toEqual([403, 403]);
    await enrol(test, stranger, course.journey);
    expect((await outside()).status).toBe(403);

    provider.answer(RIGHT);
    const maya = await learner();
    await sql`alter table ai_messages add constraint none_for_now check (false) not valid`.execute(db);
    expect((await askWith(maya, 'four')).status).toBe(500);
    await sql`alter table ai_messages drop constraint none_for_now`.execute(db);
    expect((await askWith(maya, 'four')).status).toBe(200);
    expect(await messages(maya)).toHaveLength(2);
  });

  it('holds no database connection while the model runs', async () => {
    const { pool } = test.ctx;
    let lent = Number.NaN;
    provider.answer((response, request) => {
      lent = pool.totalCount - pool.idleCount;
      RIGHT(response, request);
    });
    expect((await askWith(await learner(), 'five')).status).toBe(200);
    expect(lent).toBe(0);
  });
});

describe('when the model fails', () => {
  const made: [string, Respond][] = [
    ['hangs', FAULTS.hangs],
    ['stalls', FAULTS.stalls],
    ['says 429', FAULTS.tooMany],
    ['says 500', FAULTS.broken],
    ['sends a page', FAULTS.html],
    ['sends cut JSON', FAULTS.cut],
    ['sends another form', FAULTS.wrongShape],
    ['sends 50 MB', FAULTS.huge],
    [
      'quotes text that is not in the passages',
      answers(() => [{ sentence: 'So it is.', quotes: [{ passage: 1, text: 'made up by me' }] }]),
    ],
    [
      'stops after a valid sentence',
      (response, request) => {
        const passages = shown(request.messages.at(-1)?.content ?? '');
        const good = {
          sentence: 'Give the whole date.',
          quotes: [
            { passage: passages.find(({ text }) => text.includes('full date'))?.passage, text: 'as a full date' },
          ],
        };
        const text = JSON.stringify({ elements: [good, good] }).slice(0, -20);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`,
          () => response.destroy(),
        );
      },
    ],
  ];
  it.each(made)('because it %s, the answer consists of passages, and only that is stored', async (_, respond) => {
    provider.answer(respond);
    if (respond === FAULTS.hangs || respond === FAULTS.stalls) useModel(300);
    const maya = await learner();
    const began = performance.now();
    const { status, events } = await stream(maya);
    expect([status, performance.now() - began < 3_000]).toEqual([200, true]);
    const [last, whole] = events.at(-1)!;
    expect([last, whole.madeBy, whole.references[0].quote]).toEqual(['answer', 'fallback', QUOTED]);
    expect(whole.answer).toContain(QUOTED);
    expect(await messages(maya)).toMatchObject([{ role: 'user' }, { content: whole.answer, madeBy: 'fallback' }]);
    expect(await underWay()).toBe(0);
    expect(JSON.stringify(events)).not.toContain('sk-secret');
    expect((await ask(maya)).body.references[0].quote).toBe(QUOTED);
  });

  it('returns the tokens of a failed call', async () => {
    provider.answer(FAULTS.broken);
    const maya = await learner();
    await ask(maya);
    expect(await tokens(maya)).toBe(0);
  });

  it('stores nothing and ends the call when the client disconnects', async () => {
    provider.answer(FAULTS.hangs);
    useModel(20_000);
    const maya = await learner();
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
    const away = new AbortController();
    const headers = {
      cookie: `session=${maya.as.token}`,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    };
    const asked = fetch(`${address}${mountedPath(streamAnswer)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: DEADLINES, ...place }),
      signal: away.signal,
    }).catch(() => undefined);
    await expect.poll(() => provider.requests.length, { timeout: 3_000 }).toBe(1);
    away.abort();
    await asked;
    await expect.poll(underWay, { timeout: 3_000 }).toBe(0);
    expect([await messages(maya), await tokens(maya)]).toEqual([[], 0]);
  });
});

describe('the token quota', () => {
  const limit = (aPerson: number, aDay: number) => (test.ctx.config.aiTokens = { aPerson, aDay });
  beforeEach(async () => {
    await sql`delete from ai_tokens`.execute(db);
    limit(100_000, 2_000_000);
    provider.answer(RIGHT);
  });

  it('is per user, and answers continue without the model', async () => {
    limit(1_500, 2_000_000);
    const [maya, noor] = [await learner(), await learner()];
    await sql`insert into ai_person_tokens (user_id, day, tokens) values (${maya.id}, (now() at time zone 'UTC')::date, 1400)`.execute(
      db,
    );
    expect((await stream(maya)).events.at(-1)?.[1].madeBy).toBe('fallback');
    expect((await stream(noor)).events.at(-1)?.[1].madeBy).toBe('model');
    expect(provider.requests).toHaveLength(1);
  });

  it('has a daily limit for all users', async () => {
    limit(100_000, 1_000);
    expect((await stream(await learner())).events.at(-1)?.[1].madeBy).toBe('fallback');
    expect(provider.requests).toHaveLength(0);
  });

  it('allows two parallel questions per user', async () => {
    provider.answer(FAULTS.hangs);
    useModel(500);
    const maya = await learner();
    const replies = await Promise.all(Array.from({ length: 5 }, () => stream(maya)));
    for (const { events } of replies) expect(events.at(-1)?.[1].madeBy).toBe('fallback');
    expect(provider.requests).toHaveLength(2);
    expect(await underWay()).toBe(0);
  });
});
