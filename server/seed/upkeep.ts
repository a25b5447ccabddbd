import { sql } from 'kysely';
import type { Db } from '../db/client.ts';

/**
 * Triggers that rest while millions of rows come in: what each would do row by row is done for all at once by the parts,
 * by `figures` and by `settle`. Nobody is erased meanwhile, for to let the triggers of `users` rest holds that table
 * against changes.
 */
const RESTING: Record<string, readonly string[]> = {
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

async function turn(db: Db, how: 'disable' | 'enable'): Promise<void> {
  for (const [table, triggers] of Object.entries(RESTING)) {
    const changes = triggers.map((trigger) => sql`${sql.raw(how)} trigger ${sql.ref(trigger)}`);
    await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
  }
}

/** For the transaction: undone with it. Others read on, and wait with what they write. */
export async function restTriggers(db: Db): Promise<void> {
  await turn(db, 'disable');
}

export async function wakeTriggers(db: Db): Promise<void> {
  // A table with checks still to come cannot be altered.
  await sql`set constraints all immediate`.execute(db);
  await turn(db, 'enable');
}
