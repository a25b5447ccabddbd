import { STATUS_CODES } from 'node:http';
import { ErrorBody } from '@officium/contract/common';
import type { Endpoint } from '@officium/contract/endpoint';
import { type ErrorCode, ERRORS } from '@officium/contract/errors';
import { z } from 'zod';
import { usualErrors } from '#server/http/openapi.ts';
import type { Answer } from './exchange.ts';
import { ALLOWED_ON_REFUSAL } from './writes.ts';

/** Content that no response may have: stack traces, SQL, internal names. */
const INTERNALS =
  /\n\s+at |node_modules|\.ts:\d|\/server\/|select .+ from |insert into |violates |syntax error at|SQLSTATE|PostgresError|kysely|TypeError|ZodError|FST_ERR/i;

const TRANSLATION_CODES: Record<string, ErrorCode> = {
  invalid_request: 'request.invalid',
  invalid_translation: 'translation.invalid',
  translation_unavailable: 'translation.unavailable',
};
const TranslationRefusal = z.strictObject({ error: z.string(), code: z.enum(Object.keys(TRANSLATION_CODES)) });
const refusesItsOwnWay = ['translate', 'translatePayload'];

/** GETs that consume something. */
const GETS_THAT_WRITE = ['exchangeToken'];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorFaults(endpoint: Endpoint | undefined, { status, headers, text }: Answer): string[] {
  const body = parsed(text);
  if (INTERNALS.test(text)) return ['the error reveals internals'];
  if (endpoint && refusesItsOwnWay.includes(endpoint.name)) {
    const own = TranslationRefusal.safeParse(body);
    if (own.success) {
      const { status: expected } = ERRORS[TRANSLATION_CODES[own.data.code]!]; // one of its keys
      const isFitting = status === expected || (own.data.code === 'invalid_request' && status >= 400 && status < 500);
      return isFitting ? [] : [`status ${status} with ${own.data.code}`];
    }
  }
  const known = ErrorBody.safeParse(body);
  if (!known.success) return [`not an error body: ${known.error.message}`];
  const { statusCode, error, requestId, code, issues, message } = known.data;
  const faults = [];
  if (statusCode !== status) faults.push(`statusCode ${statusCode}`);
  if (error !== STATUS_CODES[status]) faults.push(`error ${error}`);
  if (requestId !== headers['x-request-id']) faults.push('requestId differs from the header');
  if (issues && issues[0]?.message !== message) faults.push('message differs from the first issue');
  if (!endpoint) return status < 500 ? faults : [...faults, `status ${status}`];
  // Internal errors are valid error codes, but no request may cause one.
  const declared = [
    ...usualErrors(endpoint).filter((usual) => !usual.startsWith('server.')),
    ...(endpoint.errors ?? []),
  ];
  if (code === undefined || !declared.includes(code)) faults.push(`code ${code} is not declared for ${endpoint.name}`);
  else if (ERRORS[code as ErrorCode].status !== status) faults.push(`status ${status} with code ${code}`); // declared, so known
  return faults;
}

function successFaults(endpoint: Endpoint, { status, headers, text }: Answer): string[] {
  if (!Object.hasOwn(endpoint.replies, status)) return [`status ${status} is not declared`];
  if (endpoint.download)
    return headers['content-type'] === endpoint.download ? [] : [`type ${headers['content-type']}`];
  const schema = endpoint.replies[status];
  if (!schema) return text === '' ? [] : [`a body where none is declared: ${text.slice(0, 200)}`];
  if (!String(headers['content-type']).startsWith('application/json')) return [`type ${headers['content-type']}`];
  const reply = z.safeParse(schema, parsed(text));
  return reply.success ? [] : [`reply does not match the contract: ${z.prettifyError(reply.error)}`];
}

/** The faults of a response and of the writes it caused. `endpoint` is the operation that the URL leads to, if any. */
export function faultsOf(endpoint: Endpoint | undefined, answer: Answer, writes: string[]): string[] {
  const { status } = answer;
  const isRefused = status >= 400;
  const faults = [];
  if (isRefused) faults.push(...errorFaults(endpoint, answer));
  else if (endpoint) faults.push(...successFaults(endpoint, answer));
  else faults.push(`status ${status} for an unknown path`);
  const mayWrite = !isRefused && endpoint && (endpoint.method !== 'GET' || GETS_THAT_WRITE.includes(endpoint.name));
  const unwanted = mayWrite ? [] : writes.filter((write) => !ALLOWED_ON_REFUSAL.includes(write));
  if (unwanted.length > 0) faults.push(`wrote for a ${isRefused ? 'refused request' : 'GET'}: ${unwanted.join(', ')}`);
  return faults;
}
