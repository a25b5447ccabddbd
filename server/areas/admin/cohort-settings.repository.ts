import { NOW, type Db } from '#server/db/client.ts';

export type CohortSettings = { remindsOfDueDates: boolean; enrolsAtOnce: boolean; invitationWords: string | null };

export async function getSettings(
  db: Db,
  cohortId: string,
): Promise<(CohortSettings & { isArchived: boolean }) | undefined> {
  return await db
    .selectFrom('cohorts')
    .select((eb) => [
      'reminds_of_due_dates as remindsOfDueDates',
      'enrols_at_once as enrolsAtOnce',
      'invitation_words as invitationWords',
      eb('archived_at', 'is not', null).$castTo<boolean>().as('isArchived'),
    ])
    .where('id', '=', cohortId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export async function updateSettingsRow(
  db: Db,
  cohortId: string,
  { remindsOfDueDates, enrolsAtOnce, invitationWords }: Partial<CohortSettings>,
): Promise<void> {
  await db
    .updateTable('cohorts')
    .set({
      reminds_of_due_dates: remindsOfDueDates,
      enrols_at_once: enrolsAtOnce,
      invitation_words: invitationWords === '' ? null : invitationWords,
      updated_at: NOW,
    })
    .where('id', '=', cohortId)
    .execute();
}
