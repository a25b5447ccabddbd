import { sql } from 'kysely';
import type { Db } from '../db/client.ts';

/**
 * Triggers disabled during the bulk insert. The seed parts, `figures` and `settle` do their work for all rows at once.
 * Erasure cannot run meanwhile, because disabling triggers of `users` locks that table against writes.
 */
const DISABLED_TRIGGERS: Record<string, readonly string[]> = {
  users: ['figures'],
  cohort_members: ['refuse_erased'],
  journey_enrolments: ['refuse_erased', 'journey_enrolments_resume', 'figures', 'figures_change'],
  lesson_completions: ['refuse_erased', 'lesson_completions_start', 'figures'],
  certificates: ['refuse_erased', 'figures'],
  community_members: ['refuse_erased'],
  activities: ['refuse_erased', 'search_activity', 'figures'],
  reactions: ['refuse_erased', 'search_reaction_made', 'figures_made'],
  content_reports: ['refuse_erased'],
  mails: ['refuse_erased'],
  sessions: ['refuse_erased'],
};

async function setTriggers(db: Db, how: 'disable' | 'enable'): Promise<void> {
  for (const [table, triggers] of Object.entries(DISABLED_TRIGGERS)) {
    const changes = triggers.map((trigger) => sql`${sql.raw(how)} trigger ${sql.ref(trigger)}`);
    await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
  }
}

/** Rolled back with the transaction. Other sessions can read meanwhile; their writes wait. */
export async function disableTriggers(db: Db): Promise<void> {
  await setTriggers(db, 'disable');
}

export async function enableTriggers(db: Db): Promise<void> {
  // ALTER TABLE fails while deferred constraints are pending.
  await sql`set constraints all immediate`.execute(db);
  await setTriggers(db, 'enable');
}
