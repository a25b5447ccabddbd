import { readPayloadTranslation, translate } from '@officium/contract/translation';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestApp } from '../test/app.ts';
import { capitals, FAULTS, says, startApertiumServer } from '../test/apertium-server.ts';
import { makePerson } from '../test/factories/accounts.ts';
import { makeActivity, makeCommunity } from '../test/factories/communities.ts';
import { createEngine } from '../translation/engine.ts';
import { openApertium } from './apertium.ts';

const server = await startApertiumServer();
afterAll(() => server.close());
beforeEach(() => {
  server.state.respond = says(capitals);
  server.forms.length = 0;
});

const options = (source: 'en' | 'fr' | 'sr-Cyrl' | 'de', target: 'es' | 'pt-BR' | 'en' | 'es-419') => ({
  source,
  target,
  model: 'fast' as const,
  temperature: 0.2,
  signal: AbortSignal.timeout(5_000),
});

describe('openApertium', () => {
  it('sends paragraphs as a form and turns off markers for unknown words', async () => {
    const { translateTexts } = openApertium(server.url);
    const texts = ['Read <g id="1">this</g> &amp; that', 'Élève + 100 %'];
    expect(await translateTexts(texts, options('en', 'es'))).toEqual([
      'READ <g id="1">THIS</g> &amp; THAT',
      'ÉLÈVE + 100 %',
    ]);
    expect(Object.fromEntries(server.forms[0] ?? [])).toEqual({
      langpair: 'eng|spa',
      q: `<p>${texts[0]}</p>\n<p>${texts[1]}</p>`,
      format: 'html',
      markUnknown: 'no',
    });
  });

  it('translates through a third language when there is no direct pair', async () => {
    await openApertium(server.url).translateTexts(['bonjour'], options('fr', 'pt-BR'));
    expect(server.forms.map((form) => form.get('langpair'))).toEqual(['fra|spa', 'spa|por_BR']);
  });

  it('transliterates Serbian to Latin script', async () => {
    await openApertium(server.url).translateTexts(
      ['Министар Љубица чита извештај <x id="1"/>'],
      options('sr-Cyrl', 'en'),
    );
    expect(server.forms[0]?.get('q')).toBe('<p>Ministar Ljubica čita izveštaj <x id="1"/></p>');
  });

  it('removes markers of untranslated words and keeps the same characters written by users', async () => {
    server.state.respond = says(() => '<p>El *frobnicator @budget de #la casa 3 # 4 está bien hoy y mañana</p>');
    expect(await openApertium(server.url).translateTexts(['x'], options('en', 'es'))).toEqual([
      'El frobnicator budget de la casa 3 # 4 está bien hoy y mañana',
    ]);
  });

  it('derives the source languages from the list of pairs and caches it', async () => {
    const { sourcesOf } = openApertium(server.url);
    const before = server.state.listed;
    expect(await sourcesOf('es')).toEqual(expect.arrayContaining(['en', 'fr', 'fr-CA', 'sr-Cyrl']));
    expect(await sourcesOf('pt-BR')).toEqual(expect.arrayContaining(['es', 'es-419', 'en', 'fr']));
    expect(await sourcesOf('es')).not.toContain('es-419');
    expect(await sourcesOf('de')).toEqual([]);
    // The pair is listed but unusable, so nothing is offered.
    expect(await sourcesOf('sr-Cyrl')).toEqual([]);
    expect(server.state.listed).toBe(before + 1);
  });

  it('refreshes the pairs and uses the stale list until there is an answer', async () => {
    const { sourcesOf } = openApertium(server.url, { pairsGoodForMs: 0, pairsTimeLimitMs: 50, pauseMs: 0 });
    const { list } = server.state;
    expect(await sourcesOf('es')).toContain('en');
    server.state.list = () => {};
    for (let n = 0; n < 3; n++) expect(await sourcesOf('es')).toContain('en');
    server.state.list = (response) => says(() => '')(response, new URLSearchParams());
    const asked = server.state.listed;
    // Only one request runs at a time, so a second one means that the first returned without a list.
    await vi.waitFor(async () => {
      expect(await sourcesOf('es')).toContain('en');
      expect(server.state.listed).toBeGreaterThanOrEqual(asked + 2);
    });
    server.state.list = (response) =>
      response.end(
        JSON.stringify({ responseData: [{ sourceLanguage: 'deu', targetLanguage: 'spa' }], responseStatus: 200 }),
      );
    await vi.waitFor(async () => expect(await sourcesOf('es')).toEqual(['de']), { timeout: 5_000 });
    server.state.list = list;
  });

  it('does not block a page on the list of pairs and does not request it for every page', async () => {
    const slow = await startApertiumServer();
    onTestFinished(() => slow.close());
    const { list } = slow.state;
    const givenUp = vi.fn();
    slow.state.list = (response) => void response.on('close', givenUp);
    const { sourcesOf, translateTexts } = openApertium(slow.url, { pairsTimeLimitMs: 600, patienceMs: 50 });
    const started = performance.now();
    expect(await sourcesOf('es')).toEqual([]);
    expect(performance.now() - started).toBeLessThan(600);
    expect(givenUp).not.toHaveBeenCalled(); // the request is still running
    await vi.waitFor(() => expect(givenUp).toHaveBeenCalled(), { timeout: 5_000 });
    for (let n = 0; n < 5; n++) expect(await sourcesOf('es')).toEqual([]);
    expect(slow.state.listed).toBe(1);
    // A translation still requests the list.
    slow.state.list = list;
    expect(await translateTexts(['x'], options('en', 'es'))).toEqual(['X']);
    expect(await sourcesOf('es')).toContain('en');
  });

  it('stops calling a server after consecutive failures and retries after a pause', async () => {
    const { translateTexts } = openApertium(server.url, { breakAfter: 2, pauseMs: 80 });
    await translateTexts(['x'], options('en', 'es'));
    server.state.respond = FAULTS.broken;
    for (let n = 0; n < 2; n++) await expect(translateTexts(['x'], options('en', 'es'))).rejects.toThrow('status 500');
    const asked = server.forms.length;
    await expect(translateTexts(['x'], options('en', 'es'))).rejects.toThrow('not asked');
    expect(server.forms.length).toBe(asked);
    server.state.respond = says(capitals);
    await vi.waitFor(async () => expect(await translateTexts(['x'], options('en', 'es'))).toEqual(['X']));
  });
});

describe('translation through Apertium', async () => {
  const test = await createTestApp();
  const maya = await makePerson(test);
  const community = await makeCommunity(test.ctx.db);
  const post = await makeActivity(test.ctx.db, community, maya, {
    title: 'The budget of this city',
    body: 'All of us should read the **whole** report today.\n\nAnd then we meet.',
  });
  const engine = (timeLimitMs = 10_000) =>
    createEngine(openApertium(server.url, { pairsTimeLimitMs: timeLimitMs }), { timeLimitMs });
  const plain = {
    content: 'All of us should read the report\ntoday',
    encoding: 'plain-text',
    sourceLocales: ['en'],
    targetLocales: ['es'],
  };
  const read = async () =>
    await test.call(readPayloadTranslation, maya.as, {
      params: { id: post, locale: 'es' },
      query: { payloadType: 'activity_payload' },
    });

  it.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])(
    'ends in time and stores nothing when the server fails: %s',
    async (fault) => {
      server.state.respond = FAULTS[fault];
      test.ctx.translation = engine(['hangs', 'stalls'].includes(fault) ? 300 : 10_000);
      const isNoTranslation = ['fewer', 'unmarked', 'empty', 'signs'].includes(fault);
      const code = isNoTranslation ? 'invalid_translation' : 'translation_unavailable';
      const started = performance.now();
      const answer = await test.call(translate, maya.as, { body: plain });
      expect([answer.status, answer.body.code]).toEqual([isNoTranslation ? 502 : 503, code]);
      expect((await read()).status).toBe(isNoTranslation ? 502 : 503);
      expect(performance.now() - started).toBeLessThan(8_000);
      expect((await sql`select from machine_translations`.execute(test.ctx.db)).rows).toEqual([]);
    },
  );

  it('is unavailable without a list of pairs', async () => {
    const { list } = server.state;
    for (const fault of ['hangs', 'html', 'huge', 'wrongShape'] as const) {
      server.state.list = (response) => FAULTS[fault](response);
      test.ctx.translation = engine(fault === 'hangs' ? 300 : 10_000);
      expect((await test.call(translate, maya.as, { body: plain })).body.code).toBe('translation_unavailable');
    }
    server.state.list = list;
  });

  it('is unavailable for an hour when there is no such pair', async () => {
    test.ctx.translation = engine();
    const answer = await test.call(translate, maya.as, { body: { ...plain, targetLocales: ['ja'] } });
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'translation_unavailable',
      '3600',
    ]);
  });

  it('translates and stores the result after the server recovers', async () => {
    test.ctx.translation = engine();
    const { status, body } = await read();
    expect([status, body.title, body.machine]).toEqual([200, 'THE BUDGET OF THIS CITY', true]);
    expect(body.bodyHtml).toContain('READ THE <strong>WHOLE</strong> REPORT');
    server.state.respond = FAULTS.broken;
    expect((await read()).status).toBe(200);
  });
});
