import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mountedPath, type Endpoint } from '@officium/contract/endpoint';
import { ERRORS } from '@officium/contract/errors';
import { ENDPOINTS } from '@officium/contract/services';
import { keepExamples, noteExample } from './examples.ts';

// What the tests of the server were answered, operation by operation, is kept on disk while they run: afterwards
// answers.guard.ts asks whether every answer the contract names was seen. Answers to random requests do not count.

const FOLDER = fileURLToPath(new URL('../../node_modules/.officium-answers', import.meta.url));

/** `<operation> <status>`, or `<operation> <code of contract/errors.ts>` for a refusal. */
export type AnswerSeen = string;

const patterns = ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${mountedPath(endpoint).replace(/\{\w+\}/g, '[^/]*')}$`),
}));

/** The operation an address belongs to; where a fixed word and a placeholder both fit, the fixed word. */
export function endpointAt(method: string, url: string): Endpoint | undefined {
  const [path = ''] = url.split('?');
  const fitting = patterns.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  return fitting.toSorted((a, b) => holes(a.endpoint) - holes(b.endpoint))[0]?.endpoint;
}

const holes = ({ path }: Endpoint) => path.split('{').length;

/** The bodies of refused translations name their reason in words of the specification. */
const TRANSLATION: Record<string, string> = {
  invalid_request: 'request.invalid',
  invalid_translation: 'translation.invalid',
  translation_unavailable: 'translation.unavailable',
};

const seen = new Set<AnswerSeen>();

/** Notes an answer; `body` is its text, `sent` what was asked with. */
export function noteAnswer(method: string, url: string, status: number, body: string, sent?: unknown): void {
  const endpoint = endpointAt(method, url);
  if (!endpoint) return;
  if (status < 400) noteExample(endpoint, status, { sent, body });
  const code = status < 400 || !body.startsWith('{') ? undefined : (JSON.parse(body) as { code?: string }).code; // of an error
  const reason = code === undefined ? String(status) : (TRANSLATION[code] ?? code);
  seen.add(`${endpoint.name} ${reason}`);
}

/** Keeps what the test files of this process were answered so far. */
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

/** Their paths name oneself: anybody else's id is refused whether there is such a person or not. */
const OWN_PATHS: readonly string[] = ['listConnections', 'listMyActivities', 'uploadProfileImage'];

/** Of an operation, what must have been seen: each success, and each error it declares. */
export function answersOf(endpoint: Endpoint): AnswerSeen[] {
  const { name, auth, path, query, body } = endpoint;
  const reasons = [
    ...Object.keys(endpoint.replies),
    ...(endpoint.errors ?? []),
    ...(body || query ? ['request.invalid'] : []),
    ...(auth === 'webhook' ? ['auth.wrong_key'] : auth === 'none' ? [] : ['auth.required']),
    ...(auth === 'admin' || auth === 'service' ? ['auth.forbidden'] : []),
    ...(/\{(?!locale|email|encodedUrl)\w+\}/.test(path) && !OWN_PATHS.includes(name) ? ['request.not_found'] : []),
  ];
  return [...new Set(reasons)].map((reason) => `${name} ${reason}`);
}

/** Of what was seen, what the contract does not name. */
export function undeclared(answers: Iterable<AnswerSeen>, usual: (endpoint: Endpoint) => string[]): AnswerSeen[] {
  const byName = new Map(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint]));
  return [...answers].filter((answer) => {
    const [name = '', reason = ''] = answer.split(' ');
    const endpoint = byName.get(name);
    if (!endpoint) return true;
    // That the usual reply is still what the caller has.
    if (reason === '304' && endpoint.method === 'GET') return false;
    const named = [...Object.keys(endpoint.replies), ...(endpoint.errors ?? []), ...usual(endpoint)];
    return !named.includes(reason) || (reason.includes('.') && !Object.hasOwn(ERRORS, reason));
  });
}
