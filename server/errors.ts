import { ERRORS, type ErrorCode } from '@officium/contract/errors';

export type Issue = { path: string; message: string };
/** The state of a rate limit after a request. */
export type LimitState = { limit: number; remaining: number; resetSeconds: number };
export type ErrorDetails = {
  /** The wrong fields of the input. */
  issues?: Issue[];
  /** Replaces the usual message of the code. */
  message?: string;
  /** Seconds to wait, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** The exceeded limit, sent as RateLimit-*. */
  limit?: LimitState;
  /** Fields the specification adds to the error body of this operation, e.g. `errorCode`. */
  body?: Record<string, unknown>;
};

/** A refusal or failure that is reported to the caller. Every other error becomes a 500 without detail. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(details.message ?? details.issues?.[0]?.message ?? ERRORS[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = details;
  }
}

/** Refused input with one issue. */
export function invalid(path: string, message: string): AppError {
  return new AppError('request.invalid', { issues: [{ path, message }] });
}

export function notFound(): AppError {
  return new AppError('request.not_found');
}

/** A missing or malformed setting, or one that leads nowhere; the message is one line that names it. */
export class ConfigError extends Error {}
