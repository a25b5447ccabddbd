import type { Cost } from './growth-product.ts';
import { fullScans } from './growth-plan.ts';
import { sizesOf } from './growth-sizes.ts';

/** The highest cost ratio allowed between the large and the base database. */
export const LIMIT = 1.3;
/** Rows the large database may sort in addition to those of the base. */
const SORTED_MORE = 1_000;

type Measured = { costs: Cost[]; rows: Map<string, number>; gigabytes: number };
export type Compared = {
  name: string;
  base: Cost;
  grown: Cost;
  cpu: number;
  factor: number;
  /** The page ratio without index pages between root and leaf. */
  flat: number;
  faults: string[];
};

/** Tables with at least ten times the rows. */
function growing({ base, grown }: { base: Measured; grown: Measured }): Set<string> {
  return new Set(
    [...grown.rows].filter(([name, n]) => n >= 1_000 && n >= 10 * (base.rows.get(name) ?? 0)).map(([name]) => name),
  );
}

/** Compares the cost of each request in both databases and lists its faults. */
export function compare(base: Measured, grown: Measured): Compared[] {
  const tables = growing({ base, grown });
  return grown.costs.map((cost) => {
    const before = base.costs.find((candidate) => candidate.case.name === cost.case.name)!; // both runs have the same cases
    const factor = cost.buffers / before.buffers;
    const cpu = cost.ms / before.ms;
    const whole = new Set(cost.statements.flatMap(({ plan }) => fullScans(plan)).filter((name) => tables.has(name)));
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
        ...[...whole].map((name) => `scans ${name} in full`),
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
    `${times} times 10 000 posts: ${rows('activities')} posts, ${rows('reactions')} likes and replies, ${rows('users')} people, ${rows('community_members')} memberships in ${count(sizes.communities)} communities (the largest has four of ten posts and every second person), ${rows('lesson_completions')} lesson completions, ${rows('search_documents')} search documents; ${grown.gigabytes.toFixed(1)} GB instead of ${base.gigabytes.toFixed(1)}. Database CPU is the lowest of 14 rounds; pages are the 8 kB pages that all statements of a request touch; ${of.circumstances}.`,
    '',
    '| request | CPU ms | large: CPU ms | factor | pages | large: pages | factor | factor without index descent |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...compared.map(
      ({ name, base: small, grown: large, cpu, factor, flat }) =>
        `| ${name} | ${small.ms.toFixed(1)} | ${large.ms.toFixed(1)} | ${cpu.toFixed(2)} | ${small.buffers} | ${large.buffers} | ${factor.toFixed(2)} | ${flat.toFixed(2)} |`,
    ),
    '',
    faults.length === 0
      ? `All ${compared.length} stay within ${LIMIT} times; none scans a growing table in full or sorts more rows as the table grows.`
      : `${compared.length - faults.length} of ${compared.length} stay within ${LIMIT} times without scanning a growing table in full or sorting more rows as the table grows. The others:`,
    ...(faults.length === 0 ? [] : ['', ...faults.map((one) => `- ${one.name}: ${one.faults.join('; ')}.`)]),
  ].join('\n');
}
