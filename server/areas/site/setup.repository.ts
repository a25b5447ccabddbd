import type { SetupStep, SETUP_OUTCOMES } from '@officium/contract/site-setup';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type SetupOutcome = (typeof SETUP_OUTCOMES)[number];
export type SetupRow = { steps: Partial<Record<SetupStep, SetupOutcome>>; put_away_at: Date | null };
type ReadSetup = { [Name in keyof SetupRow]: SetupRow[Name] | null } & { isBegun: boolean; hasDemo: boolean };

/** How far the assistant is, not begun before anybody has used it, and whether the demo was loaded here. */
export async function getSetup(db: Db): Promise<ReadSetup> {
  return await db
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('always'))
    .leftJoin('site_setup as s', (join) => join.onTrue())
    .leftJoin('demo_content as d', (join) => join.onTrue())
    .select(['s.steps', 's.put_away_at'])
    .select((eb) => [
      eb('s.id', 'is not', null).$castTo<boolean>().as('isBegun'),
      eb('d.id', 'is not', null).$castTo<boolean>().as('hasDemo'),
    ])
    .$narrowType<ReadSetup>()
    .executeTakeFirstOrThrow();
}

/** Whether anybody but administrators has an account. */
export async function hasPeople(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '<>', 'administrator')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether it was another outcome before. */
export async function setStep(db: Db, step: SetupStep, outcome: SetupOutcome): Promise<boolean> {
  const steps = JSON.stringify({ [step]: outcome });
  const { numInsertedOrUpdatedRows: changed } = await db
    .insertInto('site_setup')
    .values({ id: 1, steps })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ steps: sql`site_setup.steps || ${steps}::jsonb` })
        .where(sql<string>`site_setup.steps ->> ${step}`, 'is distinct from', outcome),
    )
    .executeTakeFirstOrThrow();
  return (changed ?? 0n) > 0n;
}

/** Returns whether that was not so before. */
export async function setPutAway(db: Db, isPutAway: boolean): Promise<boolean> {
  const putAwayAt = isPutAway ? sql<Date>`now()` : null;
  const { numInsertedOrUpdatedRows: changed } = await db
    .insertInto('site_setup')
    .values({ id: 1, put_away_at: putAwayAt })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ put_away_at: putAwayAt })
        .where('site_setup.put_away_at', isPutAway ? 'is' : 'is not', null),
    )
    .executeTakeFirstOrThrow();
  return (changed ?? 0n) > 0n;
}
