import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';

export type AutoApprovalRow = { id: string; type: 'domain' | 'email' | 'partialDomain'; value: string };

/** The rules that may concern an address: those naming it, its domain or a domain above. */
export async function findRulesAbout(
  db: Db,
  { email, domains }: { email: string; domains: string[] },
): Promise<AutoApprovalRow[]> {
  const { rows } = await sql<AutoApprovalRow>`
    select id, type, value from auto_approvals
    where lower(value) = any(${[email.toLowerCase(), ...domains]}) order by created_at, id`.execute(db);
  return rows;
}

/** Adds a rule; one that is there already stays as it is. */
export async function insertRule(db: Db, { type, value }: Omit<AutoApprovalRow, 'id'>): Promise<void> {
  await sql`
    insert into auto_approvals (id, type, value) values (${newId()}, ${type}, ${value})
    on conflict (type, value) do nothing`.execute(db);
}
