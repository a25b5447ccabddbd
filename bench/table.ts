import type { Case, Limit } from './cases.ts';
import type { Measured } from './measure.ts';

export type Limits = Record<Limit, Measured>;
export type Row = { name: string; measured: Measured; reach?: Case['reach'] };

const LIMIT_NAMES: Record<Limit, string> = {
  S: '**S** static JSON of 25 kB',
  Q: '**Q** one prepared query of 30 rows, serialised',
  R: '**R** one prepared query that returns the finished JSON',
  I: '**I** one insert, synchronous_commit on',
};

/** Whether a figure is reached, and what of it: `0.80 of R`, `7.1 of 10 ms`. */
export function verdictOf(
  { measured, reach }: Row,
  limits: Limits,
): { share: string; wanted: string; isReached: boolean } {
  if (!reach) return { share: '', wanted: '', isReached: true };
  if ('cpuMs' in reach) {
    const used = cpuMs(measured);
    return { share: `${used.toFixed(2)} ms`, wanted: `≤ ${reach.cpuMs} ms CPU`, isReached: used <= reach.cpuMs };
  }
  const ratio = measured.perSecond / limits[reach.limit].perSecond;
  return {
    share: `${ratio.toFixed(2)} × ${reach.limit}`,
    wanted: `≥ ${reach.ratio.toFixed(1)} × ${reach.limit}`,
    isReached: ratio >= reach.ratio,
  };
}

const cpuMs = ({ serverMs, databaseMs }: Measured) => serverMs + databaseMs;

/** The table of limits and cases, in Markdown. */
export function table(rows: Row[], limits: Limits): string {
  const ofLimits = (Object.keys(LIMIT_NAMES) as Limit[]).map((limit) => ({
    name: LIMIT_NAMES[limit],
    measured: limits[limit],
  }));
  const lines = [...ofLimits, ...rows].map((row: Row) => {
    const { perSecond, p50, p99, serverMs, databaseMs, mb } = row.measured;
    const { share, wanted, isReached } = verdictOf(row, limits);
    const limit = row.reach && 'limit' in row.reach ? limits[row.reach.limit] : undefined;
    const costs = limit ? (cpuMs(row.measured) / cpuMs(limit)).toFixed(2) : '';
    const cells = [Math.round(perSecond), p50, p99, serverMs.toFixed(2), databaseMs.toFixed(2), Math.round(mb)];
    return `| ${[row.name, ...cells, costs, share, wanted, share && (isReached ? 'yes' : 'no')].join(' | ')} |`;
  });
  return [
    '| what | a second | p50 ms | p99 ms | server CPU ms | database CPU ms | memory MB | CPU to limit | is | is to be | reached |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|',
    ...lines,
  ].join('\n');
}
