import { type RawBuilder, sql } from 'kysely';
import { buildRule, type Rule } from './rule.ts';

/** A rule as SQL text, from the text of each condition. */
export function ruleText<Condition extends string>(
  rule: Rule<Condition>,
  conditions: Record<Condition, string>,
): string {
  return buildRule(rule, conditions, {
    all: (parts) => `(${parts.join(' and ')})`,
    any: (parts) => `(${parts.join(' or ')})`,
  });
}

/** A rule as a part of a statement, from that of each condition. */
export function ruleSql<Condition extends string>(
  rule: Rule<Condition>,
  conditions: Record<Condition, RawBuilder<unknown>>,
): RawBuilder<boolean> {
  const join = (parts: RawBuilder<unknown>[], operator: RawBuilder<unknown>) => sql`(${sql.join(parts, operator)})`;
  return sql<boolean>`${buildRule<Condition, RawBuilder<unknown>>(rule, conditions, {
    all: (parts) => join(parts, sql` and `),
    any: (parts) => join(parts, sql` or `),
  })}`;
}
