import type { ServerResponse } from 'node:http';
import { sendHuge, startTwin } from './http-twin.ts';

type Form = URLSearchParams;
export type Respond = (response: ServerResponse, form: Form) => void;

const json = (response: ServerResponse, value: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

/** Answers like apertium-apy with these words. */
export const says =
  (words: (text: string, form: Form) => string): Respond =>
  (response, form) =>
    json(response, {
      responseData: { translatedText: words(form.get('q') ?? '', form) },
      responseDetails: null,
      responseStatus: 200,
    });

/** Capitalises words but keeps tags and entities, as Apertium does. */
export const capitals = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

/** The ways in which the server can fail. */
export const FAULTS = {
  hangs: () => {},
  stalls: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"responseData": '),
  tooMany: (response) => response.writeHead(429, { 'retry-after': '60' }).end('slow down'),
  broken: (response) => response.writeHead(500).end(),
  html: (response) => response.setHeader('content-type', 'text/html').end('<html><body>Bad gateway</body></html>'),
  cut: (response) => response.end('{"responseData": {"translatedText": "<p>Half of'),
  wrongShape: (response) => json(response, { responseData: [7], translatedText: '<p>no</p>' }),
  redirects: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  closes: (response) => void response.destroy(),
  huge: sendHuge,
  /** A translation with fewer elements than the source. */
  fewer: says(() => '<p>one</p>'),
  unmarked: says((text) => text.replaceAll(/<\/?p>/g, '')),
  empty: says((text) => text.replaceAll(/<p>[\s\S]*?<\/p>/g, '<p></p>')),
  /** Marks every word as unknown, as an unfinished language pair does. */
  signs: says((text) => text.replaceAll(/(?<=[\s>])(?=\p{L})/gu, '#')),
} satisfies Record<string, Respond>;

export const PAIRS = ['eng|spa', 'spa|eng', 'fra|spa', 'spa|por', 'spa|por_BR', 'eng|hbs_SR', 'hbs|eng'];

/** A local Apertium server whose answers a test controls. */
export async function startApertiumServer(respond: Respond = says(capitals)) {
  const forms: Form[] = [];
  const state = {
    respond,
    listed: 0,
    list(response: ServerResponse) {
      const pairs = PAIRS.map((pair) => pair.split('|'));
      json(response, {
        responseData: pairs.map(([sourceLanguage, targetLanguage]) => ({ sourceLanguage, targetLanguage })),
        responseStatus: 200,
      });
    },
  };
  const { port, close } = await startTwin((request, response, body) => {
    if (request.url?.endsWith('/listPairs')) {
      state.listed += 1;
      state.list(response);
    } else if (request.url?.endsWith('/translate') && request.method === 'POST') {
      forms.push(new URLSearchParams(body));
      state.respond(response, new URLSearchParams(body));
    } else response.writeHead(404).end();
  });
  return {
    url: `http://127.0.0.1:${port}/apy`,
    /** The forms it received for translation. */
    forms,
    state,
    close,
  };
}
