import { sql, type Selectable } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { AutoApprovals } from '#server/db/schema.ts';

export type AutoApprovalRow = Omit<Selectable<AutoApprovals>, 'type'> & { type: 'domain' | 'email' | 'partialDomain' };
type Rule = Pick<AutoApprovalRow, 'type' | 'value'>;

/** The rules that may concern an address: those naming it, its domain or a domain above. */
export async function findRulesAbout(
  db: Db,
  { email, domains }: { email: string; domains: string[] },
): Promise<AutoApprovalRow[]> {
  const { rows } = await sql<AutoApprovalRow>`
    select * from auto_approvals
    where lower(value) = any(${[email.toLowerCase(), ...domains]}) order by created_at, id`.execute(db);
  return rows;
}

/** The rules of these values, which are in lower case. */
export async function findRulesOfValues(db: Db, values: string[]): Promise<AutoApprovalRow[]> {
  const { rows } = await sql<AutoApprovalRow>`
    select * from auto_approvals where lower(value) = any(${values}::text[]) order by created_at, id`.execute(db);
  return rows;
}

/** The oldest rules. */
export async function findOldestRules(db: Db, limit: number): Promise<AutoApprovalRow[]> {
  const { rows } = await sql<AutoApprovalRow>`
    select * from auto_approvals order by created_at, id limit ${limit}`.execute(db);
  return rows;
}

/** Adds a rule; undefined, and one that is there already stays as it is. */
export async function insertRule(db: Db, { type, value }: Rule): Promise<AutoApprovalRow | undefined> {
  const { rows } = await sql<AutoApprovalRow>`
    insert into auto_approvals (id, type, value) values (${newId()}, ${type}, ${value})
    on conflict (type, value) do nothing returning *`.execute(db);
  return rows[0];
}

export async function getRule(db: Db, id: string): Promise<AutoApprovalRow | undefined> {
  const { rows } = await sql<AutoApprovalRow>`select * from auto_approvals where id = ${id}`.execute(db);
  return rows[0];
}

export async function findRules(
  db: Db,
  { type, values, limit, offset }: { type?: Rule['type']; values?: string[]; limit: number; offset: number },
): Promise<{ rows: AutoApprovalRow[]; total: number }> {
  const where = sql`(${values ?? null}::text[] is null or lower(value) = any(${values ?? null}::text[]))
    and (${type ?? null}::text is null or type = ${type ?? null})`;
  const { rows } = await sql<AutoApprovalRow>`
    select * from auto_approvals where ${where} order by created_at, id limit ${limit} offset ${offset}`.execute(db);
  const total = await sql<{ total: number }>`
    select count(*)::int as total from auto_approvals where ${where}`.execute(db);
  return { rows, total: total.rows[0]?.total ?? 0 };
}

/** Throws the database's unique violation when another rule is the same. */
export async function updateRule(
  db: Db,
  { id, type, value }: Rule & { id: string },
): Promise<AutoApprovalRow | undefined> {
  const { rows } = await sql<AutoApprovalRow>`
    update auto_approvals set type = ${type}, value = ${value}, updated_at = now() where id = ${id} returning *`.execute(
    db,
  );
  return rows[0];
}

export async function deleteRule(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`delete from auto_approvals where id = ${id} returning id`.execute(db);
  return rows.length > 0;
}
