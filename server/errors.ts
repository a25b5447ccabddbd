import { ERRORS, type ErrorCode } from '@officium/contract/errors';

export type Issue = { path: string; message: string };
/** How an allowance stands after a request. */
export type AllowanceStanding = { limit: number; remaining: number; resetSeconds: number };
export type ErrorDetails = {
  /** What is wrong with the input, field by field. */
  issues?: Issue[];
  /** Instead of the usual message of the code. */
  message?: string;
  /** Seconds to wait, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** The allowance that is used up, sent as RateLimit-*. */
  limit?: AllowanceStanding;
  /** Fields the specification adds to the error body of this operation, e.g. `errorCode`. */
  body?: Record<string, unknown>;
};

/** A refusal or failure that the caller is told about. Everything else that is thrown becomes a 500 without detail. */
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

/** Refused input, one issue. */
export function invalid(path: string, message: string): AppError {
  return new AppError('request.invalid', { issues: [{ path, message }] });
}

export function notFound(): AppError {
  return new AppError('request.not_found');
}

/** A setting that is missing, malformed or leads nowhere; the message is one line that names it. */
export class ConfigError extends Error {}
