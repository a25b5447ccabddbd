import type { Reached } from './drill.ts';
import type { Account } from './read-back.ts';

/** Numbers as people read them: 104 212. */
export const count = (n: number) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ' ');
export const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** A figure that must not be above `most`; undefined was not reached at all. */
export function atMost(
  what: string,
  value: number | undefined,
  most: number,
  show: (value: number) => string = count,
): Reached {
  const demanded = most === 0 ? '0' : `at most ${show(most)}`;
  if (value === undefined) return { what, reached: 'never', demanded, isReached: false };
  return { what, reached: show(value), demanded, isReached: value <= most };
}

/** A count of things gone wrong of so many, of which none may. */
export function none(what: string, wrong: number, of?: number): Reached {
  const reached = of === undefined ? count(wrong) : `${count(wrong)} of ${count(of)}`;
  return { what, reached, demanded: '0', isReached: wrong === 0 };
}

/** What the ledger says, as figures; what is wrong is told one by one, up to five of a kind. */
export function ledgerFigures(account: Account, say: (line: string) => void): Reached[] {
  const { acknowledged, failed, unknown, lost, doubled, risen, unasked, missed, looked, wrong } = account;
  const told = { lost, doubled, risen, unasked, wrong, missed: missed.map(({ mark, saw }) => `${mark}: ${saw}`) };
  for (const [what, all] of Object.entries(told)) for (const one of all.slice(0, 5)) say(`${what}: ${one}`);
  if (acknowledged === 0) throw new Error('Nothing was acknowledged, so nothing was tested.');
  return [
    none('acknowledged writes lost', lost.length, acknowledged),
    none('writes there twice', doubled.length, acknowledged + unknown),
    none('refused writes that are there', risen.length, failed),
    none('things there that nobody wrote', unasked.length),
    none('own writes not seen at once', missed.length, looked),
    none('counters that differ from their rows', wrong.length),
  ];
}
