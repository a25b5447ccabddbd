import type { Case, Limit } from './cases.ts';
import type { Measured } from './measure.ts';

export type Limits = Record<Limit, Measured>;
export type Row = { name: string; measured: Measured; target?: Case['target'] };

const LIMIT_NAMES: Record<Limit, string> = {
  S: '**S** static JSON of 25 kB',
  Q: '**Q** one prepared query of 30 rows, serialised',
  R: '**R** one prepared query that returns the finished JSON',
  I: '**I** one insert, synchronous_commit on',
};

/** Whether a target is reached, and the ratio: `0.80 of R`, `7.1 of 10 ms`. */
export function verdictOf(
  { measured, target }: Row,
  limits: Limits,
): { share: string; targetText: string; isMet: boolean } {
  if (!target) return { share: '', targetText: '', isMet: true };
  if ('cpuMs' in target) {
    const used = cpuMs(measured);
    return { share: `${used.toFixed(2)} ms`, targetText: `≤ ${target.cpuMs} ms CPU`, isMet: used <= target.cpuMs };
  }
  const ratio = measured.perSecond / limits[target.limit].perSecond;
  return {
    share: `${ratio.toFixed(2)} × ${target.limit}`,
    targetText: `≥ ${target.ratio.toFixed(1)} × ${target.limit}`,
    isMet: ratio >= target.ratio,
  };
}

const cpuMs = ({ serverMs, databaseMs }: Measured) => serverMs + databaseMs;

/** The Markdown table of baselines and cases. */
export function table(rows: Row[], limits: Limits): string {
  const ofLimits = (Object.keys(LIMIT_NAMES) as Limit[]).map((limit) => ({
    name: LIMIT_NAMES[limit],
    measured: limits[limit],
  }));
  const lines = [...ofLimits, ...rows].map((row: Row) => {
    const { perSecond, p50, p99, serverMs, databaseMs, mb } = row.measured;
    const { share, targetText, isMet } = verdictOf(row, limits);
    const limit = row.target && 'limit' in row.target ? limits[row.target.limit] : undefined;
    const costs = limit ? (cpuMs(row.measured) / cpuMs(limit)).toFixed(2) : '';
    const cells = [Math.round(perSecond), p50, p99, serverMs.toFixed(2), databaseMs.toFixed(2), Math.round(mb)];
    return `| ${[row.name, ...cells, costs, share, targetText, share && (isMet ? 'yes' : 'no')].join(' | ')} |`;
  });
  return [
    '| operation | per second | p50 ms | p99 ms | server CPU ms | database CPU ms | memory MB | CPU to limit | result | target | reached |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|',
    ...lines,
  ].join('\n');
}
