// Raw SQL: Kysely's typed insert has no `overriding system value` for the identity column.
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, newId } from '../db/client.ts';
import type { UserViewer } from './viewer.ts';

/** A learner whom an administrator previews as: in one cohort, or in none. */
export type PreviewLearner = { viewer: UserViewer; cohort: string | null };

/**
 * Creates a verified learner in the administrator's language, in a transaction that the caller rolls back. An unknown or
 * deleted cohort counts as none.
 */
export async function insertPreviewLearner(
  trx: Db,
  administrator: UserViewer,
  cohortId: string | null,
): Promise<PreviewLearner> {
  const { name, locale, localeChosen, sessionId } = administrator;
  const id = newId();
  const email = `${id}@preview.invalid`;
  // Negative numbers are random, so that previews neither wait for each other nor use up bits of cohorts.
  await sql`
    insert into users (id, number, email, email_proven_at, role, name, locale) overriding system value
    values (${id}, ${-randomInt(1, 2 ** 31)}, ${email}, now(), 'public-servant', ${name}, ${locale})`.execute(trx);
  const { rows } = await sql<{ name: string }>`
    with cohort as (select c.id, c.name from cohorts c where c.id = ${cohortId} and c.deleted_at is null),
    joined as (insert into cohort_members (cohort_id, user_id) select cohort.id, ${id}::uuid from cohort)
    select name from cohort`.execute(trx);
  const viewer: UserViewer = {
    kind: 'user',
    role: 'public-servant',
    limited: false,
    permissions: null,
    thumbnail: null,
    recentUntilMs: 0,
    hasSecondFactor: false,
    id,
    email,
    name,
    locale,
    localeChosen,
    sessionId,
  };
  return { viewer, cohort: rows[0]?.name ?? null };
}
