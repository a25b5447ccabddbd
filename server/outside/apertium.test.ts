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
  it('sends paragraphs in a form, without signs for unknown words', async () => {
    const { say } = openApertium(server.url);
    const texts = ['Read <g id="1">this</g> &amp; that', 'Élève + 100 %'];
    expect(await say(texts, options('en', 'es'))).toEqual(['READ <g id="1">THIS</g> &amp; THAT', 'ÉLÈVE + 100 %']);
    expect(Object.fromEntries(server.forms[0] ?? [])).toEqual({
      langpair: 'eng|spa',
      q: `<p>${texts[0]}</p>\n<p>${texts[1]}</p>`,
      format: 'html',
      markUnknown: 'no',
    });
  });

  it('goes through a third language where there is no pair', async () => {
    await openApertium(server.url).say(['bonjour'], options('fr', 'pt-BR'));
    expect(server.forms.map((form) => form.get('langpair'))).toEqual(['fra|spa', 'spa|por_BR']);
  });

  it('writes Serbian in the letters Apertium reads', async () => {
    await openApertium(server.url).say(['Министар Љубица чита извештај <x id="1"/>'], options('sr-Cyrl', 'en'));
    expect(server.forms[0]?.get('q')).toBe('<p>Ministar Ljubica čita izveštaj <x id="1"/></p>');
  });

  it('takes away the signs of words it could not translate, and keeps those people wrote', async () => {
    server.state.respond = says(() => '<p>El *frobnicator @budget de #la casa 3 # 4 está bien hoy y mañana</p>');
    expect(await openApertium(server.url).say(['x'], options('en', 'es'))).toEqual([
      'El frobnicator budget de la casa 3 # 4 está bien hoy y mañana',
    ]);
  });

  it('knows what it can from the pairs there are, asked once for some minutes', async () => {
    const { sourcesOf } = openApertium(server.url);
    const before = server.state.listed;
    expect(await sourcesOf('es')).toEqual(expect.arrayContaining(['en', 'fr', 'fr-CA', 'sr-Cyrl']));
    expect(await sourcesOf('pt-BR')).toEqual(expect.arrayContaining(['es', 'es-419', 'en', 'fr']));
    expect(await sourcesOf('es')).not.toContain('es-419');
    expect(await sourcesOf('de')).toEqual([]);
    // In the list, but unfinished: nothing that leads there is offered.
    expect(await sourcesOf('sr-Cyrl')).toEqual([]);
    expect(server.state.listed).toBe(before + 1);
  });

  it('asks for the pairs again, and goes by the former ones while there is no answer', async () => {
    const { sourcesOf } = openApertium(server.url, { pairsGoodForMs: 0, pairsTimeLimitMs: 50, pauseMs: 0 });
    const { list } = server.state;
    expect(await sourcesOf('es')).toContain('en');
    server.state.list = () => {};
    for (let n = 0; n < 3; n++) expect(await sourcesOf('es')).toContain('en');
    server.state.list = (response) => says(() => '')(response, new URLSearchParams());
    const asked = server.state.listed;
    // Only one request is under way at a time: with the second one the first was answered, with no list.
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

  it('keeps no page waiting for what it can, nor asks for it at each', async () => {
    const slow = await startApertiumServer();
    onTestFinished(() => slow.close());
    const { list } = slow.state;
    const givenUp = vi.fn();
    slow.state.list = (response) => void response.on('close', givenUp);
    const { sourcesOf, say } = openApertium(slow.url, { pairsTimeLimitMs: 600, patienceMs: 50 });
    const started = performance.now();
    expect(await sourcesOf('es')).toEqual([]);
    expect(performance.now() - started).toBeLessThan(600);
    expect(givenUp).not.toHaveBeenCalled(); // its request is still under way
    await vi.waitFor(() => expect(givenUp).toHaveBeenCalled(), { timeout: 5_000 });
    for (let n = 0; n < 5; n++) expect(await sourcesOf('es')).toEqual([]);
    expect(slow.state.listed).toBe(1);
    // Who wants a translation asks all the same.
    slow.state.list = list;
    expect(await say(['x'], options('en', 'es'))).toEqual(['X']);
    expect(await sourcesOf('es')).toContain('en');
  });

  it('leaves a server alone that failed several times in a row, and tries again after a while', async () => {
    const { say } = openApertium(server.url, { breakAfter: 2, pauseMs: 80 });
    await say(['x'], options('en', 'es'));
    server.state.respond = FAULTS.broken;
    for (let n = 0; n < 2; n++) await expect(say(['x'], options('en', 'es'))).rejects.toThrow('status 500');
    const asked = server.forms.length;
    await expect(say(['x'], options('en', 'es'))).rejects.toThrow('not asked');
    expect(server.forms.length).toBe(asked);
    server.state.respond = says(capitals);
    await vi.waitFor(async () => expect(await say(['x'], options('en', 'es'))).toEqual(['X']));
  });
});

describe('a translation, when Apertium', async () => {
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

  it.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])('%s, ends in time and is not kept', async (fault) => {
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
  });

  it('does not say what it can, is unavailable', async () => {
    const { list } = server.state;
    for (const fault of ['hangs', 'html', 'huge', 'wrongShape'] as const) {
      server.state.list = (response) => FAULTS[fault](response);
      test.ctx.translation = engine(fault === 'hangs' ? 300 : 10_000);
      expect((await test.call(translate, maya.as, { body: plain })).body.code).toBe('translation_unavailable');
    }
    server.state.list = list;
  });

  it('has no such pair, is unavailable for long', async () => {
    test.ctx.translation = engine();
    const answer = await test.call(translate, maya.as, { body: { ...plain, targetLocales: ['ja'] } });
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'translation_unavailable',
      '3600',
    ]);
  });

  it('is well again, translates and is kept', async () => {
    test.ctx.translation = engine();
    const { status, body } = await read();
    expect([status, body.title, body.machine]).toEqual([200, 'THE BUDGET OF THIS CITY', true]);
    expect(body.bodyHtml).toContain('READ THE <strong>WHOLE</strong> REPORT');
    server.state.respond = FAULTS.broken;
    expect((await read()).status).toBe(200);
  });
});
