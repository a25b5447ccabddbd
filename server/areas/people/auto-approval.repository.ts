import { type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
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
  const near = jsonArrayFrom(
    db
      .selectFrom('auto_approvals')
      .select(['id', 'type', 'value'])
      .where((eb) => {
        const value = eb.fn<string>('lower', ['value']);
        const below = sql<boolean>`right(${value}, length(${domain}::text) + 1)
          in ('.' || ${domain}::text, '@' || ${domain}::text)`;
        return eb.or([eb(value, '=', eb.fn.any(eb.val(values))), sql<boolean>`${value} = ${domain}::text`, below]);
      })
      .orderBy((eb) => eb(eb.fn<string>('lower', ['value']), '=', eb.fn.any(eb.val(values))), 'desc')
      .orderBy('created_at')
      .orderBy('id')
      .limit(MAX_NEAR)
      .$narrowType<RuleType>(),
  );
  const counted = db
    .selectFrom('auto_approvals')
    .select(['type', sql<number>`count(*)::int`.as('n')])
    .groupBy('type');
  const counts = db.selectFrom(counted.as('counted')).select(({ ref }) =>
    sql<Partial<Record<Rule['type'], number>>>`
        coalesce(json_object_agg(${ref('counted.type')}, ${ref('counted.n')}), '{}')`.as('counts'),
  );
  return await db
    .selectNoFrom([near.as('rules'), counts.$asScalar().$notNull().as('counts')])
    .executeTakeFirstOrThrow();
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
