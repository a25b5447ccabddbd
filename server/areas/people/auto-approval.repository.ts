// Raw SQL: two aggregates without a table, one of them over a sorted and limited list.
import { type Selectable, sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { AutoApprovals } from '#server/db/schema.ts';

export type AutoApprovalRow = Omit<Selectable<AutoApprovals>, 'type'> & { type: 'domain' | 'email' | 'partialDomain' };
type Rule = Pick<AutoApprovalRow, 'type' | 'value'>;
/** Far more rules than an organisation has. */
const MAX_NEAR = 1000;
type RuleType = { type: Rule['type'] };

/** Rules, oldest first. */
function rules(db: Db) {
  return db.selectFrom('auto_approvals').selectAll().$narrowType<RuleType>().orderBy('created_at').orderBy('id');
}

/** Rules for the address, its domain or a parent domain. */
export async function findRulesAbout(
  db: Db,
  { email, domains }: { email: string; domains: string[] },
): Promise<AutoApprovalRow[]> {
  return await findRulesOfValues(db, [email.toLowerCase(), ...domains]);
}

/** Rules with these values, which must be in lower case. */
export async function findRulesOfValues(db: Db, values: string[]): Promise<AutoApprovalRow[]> {
  return await rules(db)
    .where((eb) => eb(eb.fn<string>('lower', ['value']), '=', sql<string>`any(${values}::text[])`))
    .execute();
}

/**
 * Rules with these values, which must be in lower case, and those for a domain and everything below it; the number of
 * all rules by type.
 */
export async function findRulesNear(
  db: Db,
  { values, domain }: { values: string[]; domain: string | null },
): Promise<{ rules: Pick<AutoApprovalRow, 'id' | 'type' | 'value'>[]; counts: Partial<Record<Rule['type'], number>> }> {
  const { rows } = await sql<{
    rules: Pick<AutoApprovalRow, 'id' | 'type' | 'value'>[];
    counts: Partial<Record<Rule['type'], number>>;
  }>`
    select (
      select coalesce(json_agg(near), '[]') from (
        select id, type, value from auto_approvals
        where lower(value) = any(${values}::text[]) or lower(value) = ${domain}::text
          or right(lower(value), length(${domain}::text) + 1) in ('.' || ${domain}::text, '@' || ${domain}::text)
        order by (lower(value) = any(${values}::text[])) desc, created_at, id limit ${MAX_NEAR}) near) as rules,
      (select coalesce(json_object_agg(type, n), '{}') from (
        select type, count(*)::int as n from auto_approvals group by type) counted) as counts`.execute(db);
  return rows[0]!; // a statement without a table returns one row
}

/** The oldest rules. */
export async function findOldestRules(db: Db, limit: number): Promise<AutoApprovalRow[]> {
  return await rules(db).limit(limit).execute();
}

/** Adds a rule. Undefined if an equal one exists. */
export async function insertRule(db: Db, { type, value }: Rule): Promise<AutoApprovalRow | undefined> {
  return await db
    .insertInto('auto_approvals')
    .values({ id: newId(), type, value })
    .onConflict((conflict) => conflict.columns(['type', 'value']).doNothing())
    .returningAll()
    .$narrowType<RuleType>()
    .executeTakeFirst();
}

export async function getRule(db: Db, id: string): Promise<AutoApprovalRow | undefined> {
  return await db
    .selectFrom('auto_approvals')
    .selectAll()
    .$narrowType<RuleType>()
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findRules(
  db: Db,
  { type, values, limit, offset }: { type?: Rule['type']; values?: string[]; limit: number; offset: number },
): Promise<{ rows: AutoApprovalRow[]; total: number }> {
  let matching = db.selectFrom('auto_approvals');
  if (values !== undefined)
    matching = matching.where((eb) => eb(eb.fn<string>('lower', ['value']), '=', sql<string>`any(${values}::text[])`));
  if (type !== undefined) matching = matching.where('type', '=', type);
  const rows = await matching
    .selectAll()
    .$narrowType<RuleType>()
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Throws the database's unique violation if an equal rule exists. */
export async function updateRule(
  db: Db,
  { id, type, value }: Rule & { id: string },
): Promise<AutoApprovalRow | undefined> {
  return await db
    .updateTable('auto_approvals')
    .set({ type, value, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .$narrowType<RuleType>()
    .executeTakeFirst();
}

export async function deleteRule(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('auto_approvals').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}
