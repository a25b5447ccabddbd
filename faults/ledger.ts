/**
 * The outcome the client knows: `ok` was acknowledged (2xx), `fail` was refused (4xx), `unknown` was neither, even
 * after retries with the same key.
 */
export type Outcome = 'ok' | 'fail' | 'unknown';

/** A write and the mark by which it is found when reading back. */
export type Write = {
  kind: string;
  mark: string;
  outcome: Outcome;
  status: number | undefined;
  attempts: number;
  /** When the last answer arrived, by the monotonic clock (`performance.now()`). */
  endedMs: number;
};

/** A read by the same session that missed an acknowledged write. */
export type Missed = { mark: string; saw: string };

export type Verdict = {
  acknowledged: number;
  failed: number;
  unknown: number;
  /** Acknowledged but missing. */
  lost: string[];
  /** Found more than once, whatever the outcome. */
  doubled: string[];
  /** Refused but found. */
  resurrected: string[];
  /** Found but not in the ledger. */
  unexpected: string[];
};

/**
 * Compares the ledger with what was found, mark by mark: acknowledged writes exist exactly once, refused ones do not,
 * unknown ones at most once, and nothing else exists.
 */
export function judge(writes: readonly Write[], found: ReadonlyMap<string, number>): Verdict {
  const verdict: Verdict = {
    acknowledged: 0,
    failed: 0,
    unknown: 0,
    lost: [],
    doubled: [],
    resurrected: [],
    unexpected: [],
  };
  const known = new Set<string>();
  for (const { mark, outcome } of writes) {
    if (known.has(mark)) throw new Error(`The ledger has ${mark} twice: marks must be unique.`);
    known.add(mark);
    const times = found.get(mark) ?? 0;
    verdict[({ ok: 'acknowledged', fail: 'failed', unknown: 'unknown' } as const)[outcome]] += 1;
    if (outcome === 'ok' && times === 0) verdict.lost.push(mark);
    if (outcome === 'fail' && times > 0) verdict.resurrected.push(mark);
    if (times > 1) verdict.doubled.push(mark);
  }
  for (const mark of found.keys()) if (!known.has(mark)) verdict.unexpected.push(mark);
  return verdict;
}
