export type Circuit = {
  /** Checks whether a call is allowed. After the pause of an open circuit, it admits one call as the probe. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  /** The caller ended the call, so its outcome is neither success nor failure. */
  ended(): void;
  /** True while calls are not restricted. */
  isClosed(): boolean;
};

/** A circuit breaker: opens after several failures in a row, and after a pause admits one probe call. */
export function createCircuit({
  failures,
  pauseMs,
  now,
}: {
  failures: number;
  pauseMs: number;
  now(): number;
}): Circuit {
  let inARow = 0;
  let openUntil = 0;
  let isProbing = false;
  return {
    admits() {
      if (inARow < failures) return true;
      if (isProbing || now() < openUntil) return false;
      isProbing = true;
      return true;
    },
    succeeded() {
      inARow = 0;
      isProbing = false;
    },
    failed() {
      inARow += 1;
      isProbing = false;
      if (inARow >= failures) openUntil = now() + pauseMs;
    },
    ended() {
      isProbing = false;
    },
    isClosed: () => inARow < failures,
  };
}
