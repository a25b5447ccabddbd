/**
 * A boolean rule over named conditions. Checks in TypeScript and conditions in SQL are built from the same rule, so
 * that a list and a single read cannot differ.
 */
export type Rule<Condition extends string> =
  Condition | { readonly all: readonly Rule<Condition>[] } | { readonly any: readonly Rule<Condition>[] };

/** Combines the parts of `all` and of `any` to one. */
type Combiner<Part> = { all(parts: Part[]): Part; any(parts: Part[]): Part };

/** Builds a rule from the value of each condition. */
export function buildRule<Condition extends string, Part>(
  rule: Rule<Condition>,
  conditions: Record<Condition, Part>,
  combine: Combiner<Part>,
): Part {
  if (typeof rule === 'string') return conditions[rule];
  const build = (part: Rule<Condition>) => buildRule(part, conditions, combine);
  return 'all' in rule ? combine.all(rule.all.map(build)) : combine.any(rule.any.map(build));
}

/** Whether the rule holds. */
export function holds<Condition extends string>(
  rule: Rule<Condition>,
  conditions: Record<Condition, boolean>,
): boolean {
  return buildRule(rule, conditions, {
    all: (parts) => parts.every(Boolean),
    any: (parts) => parts.some(Boolean),
  });
}
