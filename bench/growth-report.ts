import type { Cost } from './growth-product.ts';
import { readWhole } from './growth-plan.ts';
import { sizesOf } from './growth-sizes.ts';

/** How much dearer a request may be in the large database. */
export const LIMIT = 1.3;
/** Rows that may be sorted in the large database beyond what was sorted in the small one. */
const SORTED_MORE = 1_000;

type Measured = { costs: Cost[]; rows: Map<string, number>; gigabytes: number };
export type Compared = {
  name: string;
  base: Cost;
  grown: Cost;
  cpu: number;
  factor: number;
  /** Of pages, without those that lead from the root of an index to a leaf. */
  flat: number;
  faults: string[];
};

/** Tables that are ten times as large, at least. */
function growing({ base, grown }: { base: Measured; grown: Measured }): Set<string> {
  return new Set(
    [...grown.rows].filter(([name, n]) => n >= 1_000 && n >= 10 * (base.rows.get(name) ?? 0)).map(([name]) => name),
  );
}

/** What every request costs in both, and what is wrong with it. */
export function compare(base: Measured, grown: Measured): Compared[] {
  const tables = growing({ base, grown });
  return grown.costs.map((cost) => {
    const before = base.costs.find((candidate) => candidate.case.name === cost.case.name)!; // the same cases are asked of both
    const factor = cost.buffers / before.buffers;
    const cpu = cost.ms / before.ms;
    const whole = new Set(cost.statements.flatMap(({ plan }) => readWhole(plan)).filter((name) => tables.has(name)));
    return {
      name: cost.case.name,
      base: before,
      grown: cost,
      cpu,
      factor,
      flat: (cost.buffers - cost.descent) / (before.buffers - before.descent),
      faults: [
        ...(cpu > LIMIT && factor > LIMIT
          ? [`costs ${cpu.toFixed(2)} times the CPU and ${factor.toFixed(2)} times the pages`]
          : []),
        ...[...whole].map((name) => `reads ${name} from end to end`),
        ...(cost.sorted > before.sorted + SORTED_MORE ? [`sorts ${cost.sorted} rows instead of ${before.sorted}`] : []),
      ],
    };
  });
}

const count = (n: number) => Math.round(n).toLocaleString('en').replaceAll(',', ' ');

export function report(of: {
  times: number;
  base: Measured;
  grown: Measured;
  compared: Compared[];
  circumstances: string;
}): string {
  const { times, base, grown, compared } = of;
  const sizes = sizesOf(times);
  const rows = (name: string) => count(grown.rows.get(name) ?? 0);
  const faults = compared.filter((one) => one.faults.length > 0);
  return [
    `${times} times 10 000 posts: ${rows('activities')} posts, ${rows('reactions')} likes and replies, ${rows('users')} people, ${rows('community_members')} memberships in ${count(sizes.communities)} communities (the largest with four posts of ten and every second person), ${rows('lesson_completions')} finished lessons, ${rows('search_documents')} texts to search; ${grown.gigabytes.toFixed(1)} GB instead of ${base.gigabytes.toFixed(1)}. CPU of the database, the least of 14 rounds, and pages of 8 kB that all statements of a request touch; ${of.circumstances}.`,
    '',
    '| request | CPU ms | in the large one | factor | pages | in the large one | factor | factor without ways down |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...compared.map(
      ({ name, base: small, grown: large, cpu, factor, flat }) =>
        `| ${name} | ${small.ms.toFixed(1)} | ${large.ms.toFixed(1)} | ${cpu.toFixed(2)} | ${small.buffers} | ${large.buffers} | ${factor.toFixed(2)} | ${flat.toFixed(2)} |`,
    ),
    '',
    faults.length === 0
      ? `All ${compared.length} stay within ${LIMIT} times; none reads a growing table from end to end or sorts more the more there is.`
      : `${compared.length - faults.length} of ${compared.length} stay within ${LIMIT} times without reading a growing table from end to end or sorting more the more there is. The others:`,
    ...(faults.length === 0 ? [] : ['', ...faults.map((one) => `- ${one.name}: ${one.faults.join('; ')}.`)]),
  ].join('\n');
}
