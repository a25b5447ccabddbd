import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { FAULTS, type Respond, says, saysJson, startModelProvider } from '../test/model-provider.ts';
import { type ModelLimits, ModelUnavailable, openLanguageModel, type Usage } from './language-model.ts';

const KEY = 'sk-secret-of-the-installation';
const provider = await startModelProvider();
afterAll(() => provider.close());
beforeEach(() => void provider.requests.splice(0));

const open = (limits: Partial<ModelLimits> = {}) =>
  openLanguageModel(
    {
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      apiKey: KEY,
      models: { fast: 'small-model', pro: 'large-model' },
    },
    { totalMs: 600, ...limits },
  );
/** Has time for calls that succeed on a busy machine. */
const patient = () => open({ totalMs: 20_000 });
const TASK = { model: 'fast', system: 'Be brief.', prompt: 'Hello?', maxOutputTokens: 50 } as const;
const Sentence = z.object({ sentence: z.string() });

async function faultOf(work: Promise<unknown>): Promise<ModelUnavailable> {
  const error = await work.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ModelUnavailable);
  return error as ModelUnavailable; // checked above
}
async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

describe('openLanguageModel', () => {
  it('returns text and sends the model, the key and the token limit', async () => {
    provider.answer(says('Good day.'));
    const used: Usage[] = [];
    const text = await patient().answerText({ ...TASK, model: 'pro', onUsage: (usage) => used.push(usage) });
    expect([text, used]).toEqual(['Good day.', [{ inputTokens: 120, outputTokens: 30 }]]);
    expect(provider.requests).toMatchObject([
      {
        path: '/v1/chat/completions',
        authorization: `Bearer ${KEY}`,
        body: { model: 'large-model', max_tokens: 50, messages: [{ content: 'Be brief.' }, { content: 'Hello?' }] },
      },
    ]);
  });

  it('returns an object that matches the schema', async () => {
    provider.answer(saysJson({ sentence: 'Good day.' }));
    expect(await patient().answerObject({ ...TASK, schema: Sentence })).toEqual({ sentence: 'Good day.' });
    expect(provider.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
    expect(provider.requests[0]?.body.messages[0]?.content).toContain('"sentence"');
  });

  it('yields list items before the response is complete', async () => {
    const elements = [{ sentence: 'One.' }, { sentence: 'Two.' }];
    const whole = JSON.stringify({ elements });
    let rest = () => {};
    provider.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (content: string, finish_reason: string | null = null) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`,
        );
      send(whole.slice(0, 40));
      rest = () => {
        send(whole.slice(40), 'stop');
        response.end('data: [DONE]\n\n');
      };
    });
    const list = patient().answerList({ ...TASK, item: Sentence });
    expect((await list.next()).value).toEqual(elements[0]);
    rest();
    expect(await all(list)).toEqual(elements.slice(1));
  });
});

describe('Gemini', () => {
  const part = (text: string, finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason }],
    usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 5, totalTokenCount: 45 },
  });
  const gemini = () =>
    openLanguageModel({
      kind: 'google',
      baseUrl: provider.baseUrl,
      apiKey: KEY,
      models: { fast: 'small-model', pro: 'large-model' },
    });

  it('receives text, object and list requests in its own API format', async () => {
    provider.answer((response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(part('{"sentence":"Good day."}', 'STOP')));
    });
    const used: Usage[] = [];
    const task = { ...TASK, onUsage: (usage: Usage) => used.push(usage) };
    expect(await gemini().answerText(task)).toBe('{"sentence":"Good day."}');
    expect(await gemini().answerObject({ ...task, schema: Sentence })).toEqual({ sentence: 'Good day.' });
    provider.answer((response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write(`data: ${JSON.stringify(part('{"elements":[{"sentence":"One."},'))}\n\n`);
      response.end(`data: ${JSON.stringify(part('{"sentence":"Two."}]}', 'STOP'))}\n\n`);
    });
    expect(await all(gemini().answerList({ ...task, item: Sentence }))).toEqual([
      { sentence: 'One.' },
      { sentence: 'Two.' },
    ]);
    expect(used).toHaveLength(3);
    expect(used[0]).toEqual({ inputTokens: 40, outputTokens: 5 });
    expect(provider.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      '/v1/models/small-model:generateContent',
      '/v1/models/small-model:generateContent',
      '/v1/models/small-model:streamGenerateContent',
    ]);
    expect(provider.requests.every(({ path }) => !path.includes(KEY))).toBe(true);
  });

  it('reports the same faults as other providers', async () => {
    for (const [respond, reason] of [
      [FAULTS.html, 'malformed'],
      [FAULTS.broken, 'refused'],
      [FAULTS.huge, 'too_large'],
    ] as const) {
      provider.answer(respond);
      const fault = await faultOf(gemini().answerObject({ ...TASK, schema: Sentence }));
      expect([fault.reason, String(fault.stack).includes('sk-secret')]).toEqual([reason, false]);
    }
  });
});

describe('a failing provider', () => {
  const cases: [string, Respond, string][] = [
    ['hangs', FAULTS.hangs, 'timeout'],
    ['stalls', FAULTS.stalls, 'timeout'],
    ['returns 429', FAULTS.tooMany, 'refused'],
    ['returns 429 for an hour', FAULTS.tooManyForLong, 'refused'],
    ['returns 500', FAULTS.broken, 'refused'],
    ['redirects', FAULTS.redirects, 'refused'],
    ['closes the connection', FAULTS.closes, 'refused'],
    ['sends 50 MB', FAULTS.huge, 'too_large'],
    ['sends HTML', FAULTS.html, 'malformed'],
    ['sends truncated JSON', FAULTS.cut, 'malformed'],
    ['sends the wrong shape', FAULTS.wrongShape, 'malformed'],
  ];
  it.each(cases)('is reported in time and without the key when it %s', async (_, respond, reason) => {
    provider.answer(respond);
    const began = performance.now();
    const faults = await Promise.all([
      faultOf(open().answerObject({ ...TASK, schema: Sentence })),
      faultOf(all(open().answerList({ ...TASK, item: Sentence }))),
    ]);
    expect(performance.now() - began).toBeLessThan(3_000);
    for (const fault of faults) {
      expect(fault.reason).toBe(reason);
      expect(`${fault.stack} ${JSON.stringify(fault)} ${String(fault.cause)}`).not.toContain('sk-secret');
    }
    expect(provider.requests).toHaveLength(2); // one request per call
  });

  it('is reported as refused when unreachable', async () => {
    const gone = await startModelProvider();
    await gone.close();
    const models = { fast: 'm', pro: 'm' };
    const model = openLanguageModel({ kind: 'openai-compatible', baseUrl: gone.baseUrl, apiKey: KEY, models });
    expect((await faultOf(model.answerText(TASK))).reason).toBe('refused');
  });

  it('is retried once after a short Retry-After', async () => {
    const refuseOnce = (seconds: string) => {
      let isFirst = true;
      provider.answer((response, request) => {
        if (!isFirst) return says('Now.')(response, request);
        isFirst = false;
        response.writeHead(429, { 'retry-after': seconds }).end();
      });
    };
    refuseOnce('0');
    expect(await open().answerText(TASK)).toBe('Now.');
    refuseOnce('2'); // longer than the call's timeout
    expect((await faultOf(open().answerText(TASK))).reason).toBe('timeout');
    provider.answer((response) => response.writeHead(503, { 'retry-after': '0' }).end());
    provider.requests.splice(0);
    await faultOf(open().answerText(TASK));
    expect(provider.requests).toHaveLength(2);
  });

  it('is not called after consecutive failures until the pause is over', async () => {
    provider.answer(FAULTS.broken);
    const model = open({ failures: 3, pauseMs: 30_000 });
    for (let call = 0; call < 3; call++) await faultOf(model.answerText(TASK));
    expect((await faultOf(model.answerText(TASK))).reason).toBe('open');
    expect(provider.requests).toHaveLength(3);
    provider.answer(says('Back.'));
    const later = performance.now() + 30_000;
    using _ = vi.spyOn(performance, 'now').mockImplementation(() => later);
    expect([await model.answerText(TASK), await model.answerText(TASK)]).toEqual(['Back.', 'Back.']);
  });

  it('limits the number of concurrent calls', async () => {
    provider.answer(FAULTS.hangs);
    const model = open({ atOnce: 2 });
    const reasons = await Promise.all(
      Array.from({ length: 4 }, async () => (await faultOf(model.answerText(TASK))).reason),
    );
    expect(reasons.toSorted()).toEqual(['busy', 'busy', 'timeout', 'timeout']);
  });
});

describe('a caller that cancels', () => {
  it('ends the call without counting a failure of the provider', async () => {
    provider.answer(FAULTS.hangs);
    const model = open({ failures: 1 });
    const away = new AbortController();
    setTimeout(() => away.abort(), 50);
    expect((await faultOf(model.answerText({ ...TASK, signal: away.signal }))).reason).toBe('cancelled');
    provider.answer(saysJson({ elements: [{ sentence: 'One.' }, { sentence: 'Two.' }] }));
    for await (const first of model.answerList({ ...TASK, item: Sentence })) {
      expect(first.sentence).toBe('One.');
      break;
    }
    expect(await all(model.answerList({ ...TASK, item: Sentence }))).toHaveLength(2);
  });
});
