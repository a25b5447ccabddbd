import { readFileSync } from 'node:fs';
import { readProfile } from '@officium/contract/account';
import { NOT_TOP_LEVEL } from '@officium/contract/rich-text';
import { listTranslationSources, translate } from '@officium/contract/translation';
import { describe, expect, it } from 'vitest';
import type { TranslationTask } from '#server/translation/translation.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { engineOf } from '#server/test/factories/translation.ts';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';

const test = await createTestApp();
const bare = await createTestApp();
const tasks: TranslationTask[] = [];
/** Translates to capitals. */
test.ctx.translation = engineOf(
  async (task) => {
    tasks.push(task);
    if (task.encoding !== 'rich-text') return task.content === 'spoil' ? 7 : task.content.toUpperCase();
    return JSON.parse(JSON.stringify(task.content), (key, value) =>
      key === 'value' ? String(value).toUpperCase() : value,
    );
  },
  { sourcesOf: async (target) => (target === 'de' ? ['en', 'fr'] : await Promise.reject(new Error('down'))) },
);
const maya = await makePerson(test);
const noor = await makePerson(bare);

const plain = {
  content: 'Hello',
  encoding: 'plain-text',
  sourceLocales: ['en'],
  targetLocales: ['fr'],
} as const;
const said = (value: string, extra: object = {}) => ({ nodeType: 'text', value, marks: [], data: {}, ...extra });
const node = (nodeType: string, content: unknown[], extra: object = {}) => ({ nodeType, data: {}, content, ...extra });
const paragraph = (value = 'Hello') => node('paragraph', [said(value)]);
const rich = (...content: unknown[]) => ({ ...plain, encoding: 'rich-text', content: node('document', content) });
const link = (uri: unknown) => node('paragraph', [node('hyperlink', [said('here')], { data: { uri } })]);
const send = (body: unknown) => test.call(translate, maya.as, { body });

describe('translate with an idempotency key', () => {
  const sendWith = (key: string, body: object = plain) =>
    test.call(translate, maya.as, { body, headers: { 'idempotency-key': key } });

  it('calls the engine once', async () => {
    const before = tasks.length;
    const replies = [await sendWith('one'), await sendWith('one')];
    for (const { status, body } of replies) expect([status, body]).toEqual([200, { translations: { fr: 'HELLO' } }]);
    expect(tasks.length).toBe(before + 1);
    expect((await sendWith('one', { ...plain, content: 'Goodbye' })).body.code).toBe('idempotency.reused');
  });

  it('returns the same reply to two concurrent requests', async () => {
    const replies = await Promise.all([sendWith('two'), sendWith('two')]);
    for (const { status, body } of replies) expect([status, body]).toEqual([200, { translations: { fr: 'HELLO' } }]);
  });

  it('stores no failed translation', async () => {
    const working = test.ctx.translation;
    test.ctx.translation = engineOf(async () => await Promise.reject(new Error('down')));
    const failed = await sendWith('three');
    expect([failed.status, failed.body.code]).toEqual([503, 'translation_unavailable']);
    if (working) test.ctx.translation = working;
    expect((await sendWith('three')).status).toBe(200);
  });
});

describe('translate', () => {
  it('translates plain text with the default model and temperature', async () => {
    const reply = await send(plain);
    expect(reply.status).toBe(200);
    expect(translate.replies[200].strict().parse(reply.body)).toEqual({ translations: { fr: 'HELLO' } });
    expect(tasks.at(-1)).toEqual({
      encoding: 'plain-text',
      content: 'Hello',
      source: 'en',
      target: 'fr',
      model: 'fast',
      temperature: 0.2,
    });
  });

  it.each([
    ['gemini-2.0-flash', 'fast'],
    ['google/gemini-2.0-flash-001', 'fast'],
    ['gemini-2.5-pro', 'pro'],
    ['gemini-2.5-pro-preview-05-06', 'pro'],
  ])('accepts the model %s', async (model, expected) => {
    expect((await send({ ...plain, model, temperature: 0 })).status).toBe(200);
    expect(tasks.at(-1)).toMatchObject({ model: expected, temperature: 0 });
  });

  it('returns rich text with the same structure', async () => {
    const request = rich(
      node('table', [node('table-row', [node('table-header-cell', [paragraph()]), node('table-cell', [paragraph()])])]),
      node('unordered-list', [
        node('list-item', [paragraph(), node('ordered-list', [node('list-item', [link('mailto:a@b.org')])])]),
      ]),
      node('blockquote', [paragraph()]),
      node('hr', []),
    );
    const { status, body } = await send(request);
    expect(status).toBe(200);
    expect(JSON.stringify(body.translations.fr)).toBe(
      JSON.stringify(request.content).replaceAll('Hello', 'HELLO').replaceAll('"here"', '"HERE"'),
    );
  });

  it.runIf(hasSharedData)('accepts the documents of Contentful’s renderer tests', async () => {
    const documents = JSON.parse(readFileSync(`${SHARED_DATA}/richtext-contentful/documents.json`, 'utf8'));
    for (const [name, content] of Object.entries<object>(documents)) {
      const { status } = await send({ ...plain, encoding: 'rich-text', content });
      const isForeign = /embedded|inline-entity/.test(name);
      expect([name, status]).toEqual([name, isForeign ? 400 : 200]);
    }
  });

  it.runIf(hasSharedData)('changes only the words of a marketing site’s documents', async () => {
    const file = `${SHARED_DATA}/contentful-marketing-space/contentful-export.json`;
    const documents: { content: unknown[] }[] = [];
    JSON.parse(readFileSync(file, 'utf8'), (_, value) => {
      if (value?.nodeType === 'document') documents.push(value);
      return value;
    });
    expect(documents).toHaveLength(138);
    const wordless = (content: unknown) => JSON.stringify(content, (key, value) => (key === 'value' ? '' : value));
    const refused = new Set<string>();
    for (const content of documents) {
      const { status, body } = await send({ ...plain, encoding: 'rich-text', content, targetLocales: ['de'] });
      if (status === 200) expect(wordless(body.translations.de)).toBe(wordless(content));
      else {
        // Embedded entries have no text here, so the whole document is refused.
        expect(JSON.stringify(content)).toMatch(/"(?:embedded-entry|embedded-asset|entry-hyperlink|asset-hyperlink)/);
        expect([status, body.code]).toEqual([400, 'invalid_request']);
        refused.add(body.error);
      }
    }
    expect([...refused]).toContain(NOT_TOP_LEVEL);
  });

  it.each<[string, object]>([
    ['Content must not be empty', { content: '' }],
    ['Content must not be empty', { content: ' \n ' }],
    ['Content must not be empty', { content: undefined }],
    ['Content must not be empty', { encoding: 'rich-text', content: undefined }],
    ['Content must not be empty', { encoding: 'rich-text', content: null }],
    ['Content must not be empty', { encoding: 'rich-text', content: '' }],
    ['Content must not exceed 15000 characters', { content: 'x'.repeat(15_001) }],
    ['Temperature must be at least 0', { temperature: -0.1 }],
    ['Temperature must be at most 2', { temperature: 2.1 }],
    ['Source locale must not be empty', { sourceLocales: [] }],
    ['Source locale must not be empty', { sourceLocales: undefined }],
    ['Source locale must have length one', { sourceLocales: ['en', 'fr'] }],
    ['Target locale must not be empty', { targetLocales: [] }],
    ['Target locale must have length one', { targetLocales: ['en', 'fr'] }],
    ['Encoding must be plain-text or rich-text', { encoding: 'html' }],
    ['Model must be gemini-2.0-flash or gemini-2.5-pro', { model: 'gpt-4' }],
  ])('refuses invalid input with “%s”', async (message, change) => {
    const reply = await send({ ...plain, ...change });
    expect([reply.status, reply.body]).toEqual([400, { error: message, code: 'invalid_request' }]);
  });

  it('counts code points', async () => {
    expect((await send({ ...plain, content: '😀'.repeat(15_000) })).status).toBe(200);
    expect((await send({ ...plain, content: '😀'.repeat(15_001) })).status).toBe(400);
    expect((await send(rich(paragraph('😀'.repeat(8_000)), paragraph('x'.repeat(7_000))))).status).toBe(200);
    expect((await send(rich(paragraph('x'.repeat(8_000)), paragraph('x'.repeat(7_001))))).body.error).toBe(
      'Content must not exceed 15000 characters',
    );
    expect((await send(rich())).body.error).toBe('Content must not be empty');
    expect((await send(rich(node('hr', []), paragraph(' ')))).body.error).toBe('Content must not be empty');
  });

  it('accepts top-level blocks only at the root', async () => {
    for (const child of [
      said('x'),
      node('list-item', [paragraph()]),
      node('hyperlink', []),
      node('table-row', []),
      null,
      7,
    ])
      expect((await send(rich(child))).body).toEqual({ error: NOT_TOP_LEVEL, code: 'invalid_request' });
  });

  it('accepts merged table cells and names the path of a wrong span', async () => {
    const cell = (data: object) => node('table', [node('table-row', [node('table-cell', [paragraph()], { data })])]);
    for (const data of [{ colspan: 2 }, { rowspan: 3 }, { colspan: 2, rowspan: 2 }]) {
      const { status, body } = await send(rich(cell(data)));
      expect(status).toBe(200);
      expect(body.translations.fr.content[0].content[0].content[0].data).toEqual(data);
    }
    for (const data of [{ colspan: 0 }, { rowspan: '2' }, { colspan: 1001 }, { width: 2 }]) {
      const { status, body } = await send(rich(cell(data)));
      expect(status).toBe(400);
      expect(body.error).toContain('(content.content.0.content.0.content.0.data');
    }
  });

  it('refuses invalid rich text', async () => {
    for (const content of [
      'Hello',
      null,
      [],
      { nodeType: 'paragraph', data: {}, content: [said('x')] },
      node('document', 'x' as never),
      node('document', [paragraph()], { extra: 1 }),
    ])
      expect((await send({ ...plain, encoding: 'rich-text', content })).status).toBe(400);
    for (const child of [
      node('paragraph', [paragraph()]),
      node('paragraph', [node('hyperlink', [node('hyperlink', [])], { data: { uri: 'https://a.org' } })]),
      node('paragraph', [said('x', { marks: [{ type: 'blink' }] })]),
      node('paragraph', [said('x', { marks: 'bold' })]),
      node('paragraph', [said('x', { value: 1 })]),
      node('paragraph', [node('embedded-entry-inline', [])]),
      node('paragraph', [said('x')], { data: { target: {} } }),
      node('unordered-list', [paragraph()]),
      node('table', [paragraph()]),
    ])
      expect((await send(rich(paragraph(), child))).status).toBe(400);
    expect((await send({ ...plain, content: rich(paragraph()).content })).status).toBe(400);
  });

  it('accepts links to https, http and mailto only', async () => {
    for (const uri of ['https://a.org', 'http://a.org/b?c#d', 'mailto:a@b.org'])
      expect([uri, (await send(rich(link(uri)))).status]).toEqual([uri, 200]);
    for (const uri of [
      'javascript:alert(1)',
      ' https://a.org',
      'data:text/html,x',
      '//a.org',
      '/a',
      '',
      undefined,
      'java\nscript:x',
      'https://a.org\n',
    ])
      expect([uri, (await send(rich(link(uri)))).status]).toEqual([uri, 400]);
  });

  it('accepts up to 20 levels and 5 000 nodes', async () => {
    const nested = (levels: number) => {
      let inner: unknown = paragraph(); // two levels
      for (let level = 2; level < levels; level++) inner = node('blockquote', [inner]);
      return rich(inner);
    };
    expect((await send(nested(20))).status).toBe(200);
    expect((await send(nested(21))).status).toBe(400);
    expect((await send(nested(1_000))).status).toBe(400);
    const wide = (nodes: number) => rich(...Array.from({ length: nodes / 2 }, () => paragraph('x')));
    expect((await send(wide(5_000))).status).toBe(200);
    expect((await send(wide(5_002))).status).toBe(400);
  });

  it('replies to malformed requests with its own error body', async () => {
    for (const body of ['{', '{"__proto__": 1}', 'null', '[]', '"x"']) {
      const reply = await test.send('POST', '/api/content/translations', {
        as: maya.as,
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect([body, reply.status, Object.keys(reply.body)]).toEqual([body, 400, ['error', 'code']]);
    }
    expect((await send({ ...plain, content: 'a\0b' })).body).toMatchObject({ code: 'invalid_request' });
  });

  it('replies 502 when the engine’s answer is not a translation', async () => {
    const reply = await send({ ...plain, content: 'spoil' });
    expect([reply.status, reply.body]).toEqual([
      502,
      { error: 'The translation that came back is not valid.', code: 'invalid_translation' },
    ]);
  });

  it('replies 503 without a provider, except when source and target are the same', async () => {
    const reply = await bare.call(translate, noor.as, { body: plain });
    expect([reply.status, reply.body]).toEqual([
      503,
      { error: 'Translation is not available here at the moment.', code: 'translation_unavailable' },
    ]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    const own = await bare.call(translate, noor.as, { body: { ...plain, targetLocales: ['en'] } });
    expect([own.status, own.body]).toEqual([200, { translations: { en: 'Hello' } }]);
  });

  it('does not block other requests while a provider works, with or without an idempotency key', async () => {
    const thinking = Promise.withResolvers<string>();
    bare.ctx.translation = engineOf(async () => await thinking.promise);
    const waiting = Array.from({ length: 24 }, (_, n) =>
      bare.call(translate, noor.as, { body: plain, headers: n % 2 ? {} : { 'idempotency-key': `slow-${n}` } }),
    );
    const others = Array.from({ length: 12 }, () => bare.call(readProfile, noor.as, { params: { id: 'me' } }));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array<number>(12).fill(200));
    thinking.resolve('Bonjour');
    for (const { status, body } of await Promise.all(waiting))
      expect([status, body]).toEqual([200, { translations: { fr: 'Bonjour' } }]);
  });

  it('is limited to public servants', async () => {
    const other = await makePerson(test, { role: 'non-public-servant' });
    expect((await test.call(translate, other.as, { body: plain })).status).toBe(403);
    expect((await test.call(translate, undefined, { body: plain })).status).toBe(401);
  });
});

describe('listTranslationSources', () => {
  it('lists the engine’s languages, and none without an engine or when it fails', async () => {
    const ask = async (app: typeof test, as: typeof maya.as | undefined, locale?: string) =>
      await app.call(listTranslationSources, as, { query: locale ? { locale } : {} });
    const german = await ask(test, maya.as, 'de');
    expect([german.status, german.body]).toEqual([200, { sources: ['en', 'fr'] }]);
    expect((await ask(test, maya.as)).body).toEqual({ sources: [] });
    const none = await createTestApp();
    expect((await ask(none, (await makePerson(none)).as, 'de')).body).toEqual({ sources: [] });
    expect((await ask(test, maya.as, 'xx')).status).toBe(400);
    expect((await ask(test, undefined)).status).toBe(401);
  });
});
