import { type RawBuilder, sql } from 'kysely';

type Asked = {
  role?: string | undefined;
  state?: string | undefined;
  visibility?: string | undefined;
  isInUse?: boolean;
};

/**
 * The number of accounts without the erased ones, by the keys of `person_tally` in the database. In use: the address is
 * proven and the account is not inactive.
 */
export function countPeople({ role, state, visibility, isInUse = false }: Asked): RawBuilder<number> {
  const parts = [role, state, visibility].map((part, nth) =>
    part === undefined ? sql`true` : sql`split_part(t.key, ' ', ${sql.lit(nth + 1)}) = ${part}`,
  );
  const used = isInUse ? sql`split_part(t.key, ' ', 2) not in ('unproven', 'inactive')` : sql`true`;
  return sql<number>`(select coalesce(sum(t.n), 0)::int from tallied t
    where t.thing = 'people' and ${sql.join([...parts, used], sql` and `)})`;
}
