import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Form = URLSearchParams;
export type Respond = (response: ServerResponse, form: Form) => void;

const json = (response: ServerResponse, value: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

/** Answers as apertium-apy would, with these words. */
export const says =
  (words: (text: string, form: Form) => string): Respond =>
  (response, form) =>
    json(response, {
      responseData: { translatedText: words(form.get('q') ?? '', form) },
      responseDetails: null,
      responseStatus: 200,
    });

/** Puts the words into capitals and leaves tags and entities, as Apertium does. */
export const capitals = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

/** The ways in which it could fail. */
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
  huge: (response) => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    const more = () => {
      while (sent < 50) {
        sent += 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  },
  /** A page with a translation of something else. */
  fewer: says(() => '<p>one</p>'),
  unmarked: says((text) => text.replaceAll(/<\/?p>/g, '')),
  empty: says((text) => text.replaceAll(/<p>[\s\S]*?<\/p>/g, '<p></p>')),
  /** As a pair answers that was never finished. */
  signs: says((text) => text.replaceAll(/(?<=[\s>])(?=\p{L})/gu, '#')),
} satisfies Record<string, Respond>;

export const PAIRS = ['eng|spa', 'spa|eng', 'fra|spa', 'spa|por', 'spa|por_BR', 'eng|hbs_SR', 'hbs|eng'];

/** An Apertium server on this machine that answers what a test tells it to. */
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
  const server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      if (request.url?.endsWith('/listPairs')) {
        state.listed += 1;
        state.list(response);
      } else if (request.url?.endsWith('/translate') && request.method === 'POST') {
        forms.push(new URLSearchParams(text));
        state.respond(response, new URLSearchParams(text));
      } else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/apy`,
    /** What it was asked to translate. */
    forms,
    state,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
