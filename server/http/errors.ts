import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorCode } from '@officium/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { sendLimitHeaders } from '#server/limits/limits.ts';
import { readRestOfBody } from './rest-of-body.ts';

/** Our codes for refusals by Fastify and its parsers. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_REQ_FILE_TOO_LARGE: 'request.too_large',
  FST_PARTS_LIMIT: 'request.too_large',
  FST_FILES_LIMIT: 'request.too_large',
  FST_FIELDS_LIMIT: 'request.too_large',
};

/**
 * SQLSTATE classes and Node errors of an unavailable or overloaded database or network. They include a database that
 * takes no writes, as before or after a failover (25006), and one that cannot read its disk (58030).
 */
const UNAVAILABLE =
  /^(08|53|57P0|57014|25006|25P03|55P03|58030|40001|40P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;

/** `refuse_erased` (`server/db/functions/personal-data.sql`): the account was erased during the write. */
const ERASED = 'OF001';

/**
 * `take_turn` (`server/db/functions/community-members.sql`): slow mode of a community. The detail contains the seconds
 * to wait.
 */
const TOO_EARLY = 'OF002';

/** Whether an error means that the database or the network is unavailable or overloaded. */
export function isUnavailable(error: { code?: unknown; message?: unknown; cause?: unknown }): boolean {
  if (typeof error.code === 'string' && UNAVAILABLE.test(error.code)) return true;
  // pg reports these without a code.
  return (
    typeof error.message === 'string' &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    )
  );
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = error as Partial<FastifyError> & { cause?: unknown }; // only read below, every field may be absent
  const mapped = known.code === undefined ? undefined : FASTIFY_CODES[known.code];
  if (mapped) return new AppError(mapped, {}, { cause: error });
  if (isUnavailable(known)) return new AppError('server.unavailable', { retryAfterSeconds: 2 }, { cause: error });
  if (known.code === TOO_EARLY) {
    const { detail } = error as { detail?: unknown }; // PostgreSQL errors have a detail
    return new AppError('community.too_early', { retryAfterSeconds: Number(detail) }, { cause: error });
  }
  if (known.code === ERASED) return new AppError('auth.required', {}, { cause: error });
  // Text that PostgreSQL cannot store, such as a NUL.
  if (known.code === '22021' || known.code === '22P05') return new AppError('request.malformed', {}, { cause: error });
  if (known.statusCode !== undefined && known.statusCode >= 400 && known.statusCode < 500)
    return new AppError('request.malformed', {}, { cause: error });
  return new AppError('server.failed', {}, { cause: error });
}

/** The one body of every error. */
export function errorBody(error: AppError, requestId: string): Record<string, unknown> {
  return {
    statusCode: error.status,
    error: STATUS_CODES[error.status] ?? 'Error',
    message: error.message,
    requestId,
    code: error.code,
    ...(error.details.issues ? { issues: error.details.issues } : {}),
    ...error.details.body,
  };
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Whether the client aborted the upload; its connection error resembles the database's. */
function isBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** A deliberate refusal, because of a missing provider or overload, is logged as info. */
function tellFailure(error: AppError, request: FastifyRequest): void {
  const isRefused = error.status === 503 && error.cause === undefined;
  if (isRefused) request.log.info({ code: error.code }, 'request refused');
  else request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
}

/** Answers a refusal or failure; `bodyOf` returns the body where an operation has its own. */
export async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyOf?: (error: AppError) => Record<string, unknown> | undefined,
): Promise<FastifyReply> {
  const isBroken = isBrokenOff(request);
  const known = isBroken ? new AppError('request.malformed', {}, { cause: error }) : toAppError(error);
  if (isBroken) request.log.info({ reason: (error as { code?: unknown }).code }, 'request aborted by the client'); // Node errors have a code
  if (known.status >= 500) tellFailure(known, request);
  if (known.details.limit) sendLimitHeaders(reply, known.details.limit);
  if (known.details.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(known.details.retryAfterSeconds))));
  else if (known.status === 503 || known.status === 429) reply.header('retry-after', '5');
  if (known.code === 'request.too_large') await readRestOfBody(request.raw);
  return reply
    .code(known.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(bodyOf?.(known) ?? errorBody(known, request.id));
}
