import { STATUS_CODES } from 'node:http';
import { usualStatus, type Endpoint } from '@officium/contract/endpoint';
import { ERRORS, type ErrorCode } from '@officium/contract/errors';
import { AppError, type ErrorDetails } from '../errors.ts';
import { errorBody } from './errors.ts';
import { exampleFor } from './openapi-examples.ts';
import { TRANSLATION_REFUSALS, translationRefusal } from './translation-refusal.ts';

type Json = Record<string, unknown>;

const REQUEST_ID = '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57';

/** Example details of the errors that have details. */
const DETAILS: Partial<Record<ErrorCode, ErrorDetails>> = {
  'request.invalid': { issues: [{ path: 'email', message: 'Must be an e-mail address' }] },
  'auth.second_factor_required': {
    body: { challenge: 'q3F0x8c1…', methods: ['totp', 'recovery-code'] },
  },
};

/** The `errorCode` that the specification gives to one operation. */
const PASSWORD_ERRORS: Partial<Record<ErrorCode, string>> = {
  'auth.password_used_before': 'PasswordHistoryError',
  'auth.wrong_secret': 'PasswordNoUserInfoError',
};

const hasOwnErrorCode = ({ name }: Endpoint) => name === 'setPassword';
const hasOwnRefusal = ({ name }: Endpoint) => name === 'translate' || name === 'translatePayload';

export const ANSWER_SCHEMAS: Json = {
  TranslationRefusal: {
    type: 'object',
    description: 'A refused translation. Refusals because of the caller have the usual body.',
    properties: {
      error: { type: 'string', description: 'A sentence' },
      code: { type: 'string', enum: [...new Set(Object.values(TRANSLATION_REFUSALS))] },
    },
    required: ['error', 'code'],
  },
};

export const ANSWER_HEADERS: Json = {
  RateLimitLimit: {
    description: 'The requests allowed by the tightest limit. Not sent to service keys, nor when limits are off.',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: { description: 'The requests left in the current window.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the window is over.', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  Location: { description: 'The address to continue at.', schema: { type: 'string', format: 'uri-reference' } },
  Deprecation: {
    description: 'The date of the deprecation: `@` and seconds since 1970 (RFC 9745).',
    schema: { type: 'string' },
  },
};

function headersOf({ auth, deprecated }: Endpoint, status: number): Json {
  const names = [
    ...(auth !== 'webhook' && (status < 400 || status === 429)
      ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
      : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status >= 300 && status < 400 ? ['Location'] : []),
    ...(deprecated && status < 400 ? ['Deprecation'] : []),
  ];
  if (names.length === 0) return {};
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]);
  return { headers: Object.fromEntries(refs) };
}

function exampleOf(endpoint: Endpoint, code: ErrorCode): Json {
  const errorCode = hasOwnErrorCode(endpoint) ? PASSWORD_ERRORS[code] : undefined;
  const error = new AppError(code, { ...DETAILS[code], ...(errorCode ? { body: { errorCode } } : {}) });
  return (hasOwnRefusal(endpoint) ? translationRefusal(error) : undefined) ?? errorBody(error, REQUEST_ID);
}

function errorSchema(endpoint: Endpoint, status: number, codes: ErrorCode[]): Json {
  const errorCodes = hasOwnErrorCode(endpoint) ? codes.flatMap((code) => PASSWORD_ERRORS[code] ?? []) : [];
  const isOwn = (code: ErrorCode) => hasOwnRefusal(endpoint) && TRANSLATION_REFUSALS[code] !== undefined;
  const usual = codes.filter((code) => !isOwn(code));
  const choices: Json[] = usual.length < codes.length ? [{ $ref: '#/components/schemas/TranslationRefusal' }] : [];
  if (usual.length > 0) {
    const properties = {
      statusCode: { type: 'integer', const: status },
      code: { type: 'string', enum: usual },
      ...(errorCodes.length > 0 ? { errorCode: { type: 'string', enum: errorCodes } } : {}),
    };
    choices.push({
      allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties, required: ['statusCode', 'code'] }],
    });
  }
  return choices.length === 1 && choices[0] ? choices[0] : { oneOf: choices };
}

/** The refusals and failures of an operation by status, with an example body for each reason. */
export function refusalsOf(endpoint: Endpoint, codes: readonly ErrorCode[]): Record<string, Json> {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  const refusals = [...byStatus].map(([status, reasons]): [string, Json] => [
    String(status),
    {
      description: reasons.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
      ...headersOf(endpoint, status),
      content: {
        'application/json': {
          schema: errorSchema(endpoint, status, reasons),
          examples: Object.fromEntries(reasons.map((code) => [code, { value: exampleOf(endpoint, code) }])),
        },
      },
    },
  ]);
  return Object.fromEntries(refusals);
}

/** The success reply of an operation. */
export function successOf(endpoint: Endpoint, status: number, schema: Json | undefined): Json {
  const example = exampleFor(endpoint).replies?.[status];
  const file = status === usualStatus(endpoint) ? endpoint.download : undefined;
  const content = file
    ? { [file]: { schema: { type: 'string', format: 'binary' } } }
    : schema && { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
  return {
    description: STATUS_CODES[status] ?? 'Success',
    ...headersOf(endpoint, status),
    ...(content ? { content } : {}),
  };
}
