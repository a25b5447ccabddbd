import type { ServerResponse } from 'node:http';
import { sendHuge, startTwin } from './http-twin.ts';

/** The fields of a chat completion request that tests read. */
export type ChatRequest = {
  model: string;
  stream?: boolean;
  max_tokens?: number;
  messages: { role: string; content: string }[];
  response_format?: unknown;
};
export type Respond = (response: ServerResponse, request: ChatRequest) => void;

const USAGE = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };

/** Answers like the provider: whole, or in small chunks when streaming. */
export function says(content: string, usage: typeof USAGE | null = USAGE): Respond {
  return (response, { stream, model }) => {
    const head = { id: 'chat-1', created: 1_700_000_000, model };
    if (!stream) {
      const message = { role: 'assistant', content };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          ...head,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          ...(usage && { usage }),
        }),
      );
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    const send = (choices: object[], more = {}) =>
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
    for (let at = 0; at < content.length; at += 7)
      send([{ index: 0, delta: { content: content.slice(at, at + 7) }, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    if (usage) send([], { usage });
    response.end('data: [DONE]\n\n');
  };
}
export const saysJson = (value: unknown): Respond => says(JSON.stringify(value));

const page = '<html><body>Bad gateway</body></html>';

/** The ways in which providers fail. */
export const FAULTS = {
  hangs: () => {},
  stalls: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': wait\n\n');
  },
  tooMany: (response) => response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{}}'),
  tooManyForLong: (response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
  broken: (response) => response.writeHead(500).end('key sk-secret is not known'),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  cut: (response, request) => says('{"elements":[{"sentence":"Half of')(response, request),
  wrongShape: (response, request) => saysJson({ elements: [{ colour: 'red' }], word: 7 })(response, request),
  redirects: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  closes: (response) => void response.destroy(),
  huge: (response, { stream }) => {
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    sendHuge(response);
  },
} satisfies Record<string, Respond>;

/** A local model provider whose answers a test controls. */
export async function startModelProvider(respond: Respond = says('hello')) {
  const requests: { path: string; authorization: string | undefined; body: ChatRequest }[] = [];
  const provider = { respond };
  const { port, close } = await startTwin((request, response, text) => {
    const body = JSON.parse(text || '{}') as ChatRequest; // sent by our own client
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    provider.respond(response, body);
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    /** Sets the response for all further requests. */
    answer(next: Respond) {
      provider.respond = next;
    },
    close,
  };
}
