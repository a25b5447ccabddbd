/**
 * A write as the client knows it: `ok` was acknowledged (2xx), `fail` was refused (4xx), `unknown` was neither, also
 * when it was sent again with the same key.
 */
export type Outcome = 'ok' | 'fail' | 'unknown';

/** A write, and under which mark it is found when everything is read back. */
export type Write = {
  kind: string;
  mark: string;
  outcome: Outcome;
  status: number | undefined;
  attempts: number;
  /** When the last answer came, by the monotonic clock (`performance.now()`). */
  endedMs: number;
};

/** What a read of the same session missed right after the acknowledgement. */
export type Missed = { mark: string; saw: string };

export type Verdict = {
  acknowledged: number;
  failed: number;
  unknown: number;
  /** Acknowledged and not there. */
  lost: string[];
  /** There more than once, whatever was answered. */
  doubled: string[];
  /** Refused and yet there. */
  risen: string[];
  /** There, and no write of the ledger. */
  unasked: string[];
};

/**
 * Holds the ledger against what was found, mark by mark: acknowledged is there exactly once, refused is not there,
 * unknown is there once or not at all, and nothing else is there.
 */
export function judge(writes: readonly Write[], found: ReadonlyMap<string, number>): Verdict {
  const verdict: Verdict = { acknowledged: 0, failed: 0, unknown: 0, lost: [], doubled: [], risen: [], unasked: [] };
  const known = new Set<string>();
  for (const { mark, outcome } of writes) {
    if (known.has(mark)) throw new Error(`The ledger has ${mark} twice: marks tell writes apart.`);
    known.add(mark);
    const times = found.get(mark) ?? 0;
    verdict[({ ok: 'acknowledged', fail: 'failed', unknown: 'unknown' } as const)[outcome]] += 1;
    if (outcome === 'ok' && times === 0) verdict.lost.push(mark);
    if (outcome === 'fail' && times > 0) verdict.risen.push(mark);
    if (times > 1) verdict.doubled.push(mark);
  }
  for (const mark of found.keys()) if (!known.has(mark)) verdict.unasked.push(mark);
  return verdict;
}
