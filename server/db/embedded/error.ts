export type EmbeddedErrorCode =
  | 'DATA_DIR_IN_USE'
  | 'OTHER_MAJOR_VERSION'
  | 'NO_PLATFORM_PACKAGE'
  | 'NO_ACCOUNT'
  | 'NO_WRITABLE_PLACE'
  | 'NO_ACCESS'
  | 'DATA_MISSING'
  | 'START_FAILED';

/** An error that prevents the start of the embedded PostgreSQL; the message is one line for the operator. */
export class EmbeddedError extends Error {
  readonly code: EmbeddedErrorCode;

  constructor(code: EmbeddedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedError';
    this.code = code;
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
