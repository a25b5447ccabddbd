import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mountedPath, type Endpoint } from '@officium/contract/endpoint';
import { ERRORS } from '@officium/contract/errors';
import { ENDPOINTS } from '@officium/contract/services';
import { keepExamples, noteExample } from './examples.ts';

// The server tests record the answers of each operation on disk. Afterwards answers.guard.ts checks that every answer
// the contract declares was covered. Answers to random requests do not count.

const FOLDER = fileURLToPath(new URL('../../node_modules/.officium-answers', import.meta.url));

/** `<operation> <status>`, or `<operation> <code of contract/errors.ts>` for an error. */
export type AnswerSeen = string;

const patterns = ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${mountedPath(endpoint).replace(/\{\w+\}/g, '[^/]*')}$`),
}));

/** The operation of a URL. A fixed path segment takes precedence over a placeholder. */
export function endpointAt(method: string, url: string): Endpoint | undefined {
  const [path = ''] = url.split('?');
  const fitting = patterns.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  return fitting.toSorted((a, b) => holes(a.endpoint) - holes(b.endpoint))[0]?.endpoint;
}

const holes = ({ path }: Endpoint) => path.split('{').length;

/** Refused translations use the error codes of the specification. */
const TRANSLATION: Record<string, string> = {
  invalid_request: 'request.invalid',
  invalid_translation: 'translation.invalid',
  translation_unavailable: 'translation.unavailable',
};

const seen = new Set<AnswerSeen>();

/** Records an answer; `body` is its text, `sent` the request. */
export function noteAnswer(method: string, url: string, status: number, body: string, sent?: unknown): void {
  const endpoint = endpointAt(method, url);
  if (!endpoint) return;
  if (status < 400) noteExample(endpoint, status, { sent, body });
  const code = status < 400 || !body.startsWith('{') ? undefined : (JSON.parse(body) as { code?: string }).code; // shape of an error
  const reason = code === undefined ? String(status) : (TRANSLATION[code] ?? code);
  seen.add(`${endpoint.name} ${reason}`);
}

/** Saves the answers that this process has received so far. */
export function keepAnswers(): void {
  if (seen.size === 0) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${process.pid}.json`), JSON.stringify([...seen]));
  keepExamples();
}

export function forgetAnswers(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

export function readAnswers(): Set<AnswerSeen> {
  const files = globSync('*.json', { cwd: FOLDER });
  return new Set(files.flatMap((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as AnswerSeen[]));
}

/** Paths about oneself: another person's id is refused whether it exists or not. */
const OWN_PATHS: readonly string[] = ['listConnections', 'listMyActivities', 'uploadProfileImage'];

/** The answers an operation must show in tests: each success and each declared error. */
export function answersOf(endpoint: Endpoint): AnswerSeen[] {
  const { name, auth, path, query, body } = endpoint;
  const reasons = [
    ...Object.keys(endpoint.replies),
    ...(endpoint.errors ?? []),
    ...(body || query ? ['request.invalid'] : []),
    ...(auth === 'webhook' ? ['auth.wrong_key'] : auth === 'none' ? [] : ['auth.required']),
    ...(auth === 'admin' || auth === 'service' ? ['auth.forbidden'] : []),
    ...(/\{(?!locale|email|encodedUrl|theme|step|slot|kind\}\/\{locale|(?:kind|topic)\}$)\w+\}/.test(path) &&
    !OWN_PATHS.includes(name)
      ? ['request.not_found']
      : []),
  ];
  return [...new Set(reasons)].map((reason) => `${name} ${reason}`);
}

/** The recorded answers that the contract does not declare. */
export function undeclared(answers: Iterable<AnswerSeen>, usual: (endpoint: Endpoint) => string[]): AnswerSeen[] {
  const byName = new Map(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint]));
  return [...answers].filter((answer) => {
    const [name = '', reason = ''] = answer.split(' ');
    const endpoint = byName.get(name);
    if (!endpoint) return true;
    // 304: the client's copy is still current.
    if (reason === '304' && endpoint.method === 'GET') return false;
    const named = [...Object.keys(endpoint.replies), ...(endpoint.errors ?? []), ...usual(endpoint)];
    return !named.includes(reason) || (reason.includes('.') && !Object.hasOwn(ERRORS, reason));
  });
}
