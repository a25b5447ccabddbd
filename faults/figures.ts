import type { Figure } from './drill.ts';
import type { Account } from './read-back.ts';

/** Groups digits: 104 212. */
export const count = (n: number) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ' ');
export const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** A figure with an upper bound. Undefined means that it was never reached. */
export function atMost(
  what: string,
  value: number | undefined,
  most: number,
  show: (value: number) => string = count,
): Figure {
  const target = most === 0 ? '0' : `at most ${show(most)}`;
  if (value === undefined) return { what, result: 'never', target, isMet: false };
  return { what, result: show(value), target, isMet: value <= most };
}

/** A count of failures out of `of`; the target is zero. */
export function none(what: string, wrong: number, of?: number): Figure {
  const result = of === undefined ? count(wrong) : `${count(wrong)} of ${count(of)}`;
  return { what, result, target: '0', isMet: wrong === 0 };
}

/** The ledger's verdict as figures. Prints up to five marks of each kind of fault. */
export function ledgerFigures(account: Account, print: (line: string) => void): Figure[] {
  const { acknowledged, failed, unknown, lost, doubled, resurrected, unexpected, missed, verified, wrong } = account;
  const byKind = {
    lost,
    doubled,
    resurrected,
    unexpected,
    wrong,
    missed: missed.map(({ mark, saw }) => `${mark}: ${saw}`),
  };
  for (const [what, all] of Object.entries(byKind)) for (const one of all.slice(0, 5)) print(`${what}: ${one}`);
  if (acknowledged === 0) throw new Error('no write was acknowledged, so nothing was tested');
  return [
    none('acknowledged writes lost', lost.length, acknowledged),
    none('duplicate writes', doubled.length, acknowledged + unknown),
    none('refused writes that were stored', resurrected.length, failed),
    none('rows that nobody wrote', unexpected.length),
    none('own writes missing from the next read', missed.length, verified),
    none('counters that differ from their rows', wrong.length),
  ];
}
