export type Circuit = {
  /** Whether a call may go out now. A yes while it is open makes that call the one that tries whether all is well again. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  /** The call ended for a reason of the caller's own, which says nothing about the other side. */
  ended(): void;
  /** Whether calls go out as usual. */
  isClosed(): boolean;
};

/** Stops calling what failed several times in a row; after a pause one call tries, and the rest wait for how it ends. */
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
  let isTrying = false;
  return {
    admits() {
      if (inARow < failures) return true;
      if (isTrying || now() < openUntil) return false;
      isTrying = true;
      return true;
    },
    succeeded() {
      inARow = 0;
      isTrying = false;
    },
    failed() {
      inARow += 1;
      isTrying = false;
      if (inARow >= failures) openUntil = now() + pauseMs;
    },
    ended() {
      isTrying = false;
    },
    isClosed: () => inARow < failures,
  };
}
