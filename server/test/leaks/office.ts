import { createUpload } from '@officium/contract/admin';
import { enrolPerson, referColleague } from '@officium/contract/enrolment';
import { createAutoApproval } from '@officium/contract/people';
import { requestDataExport } from '@officium/contract/personal-data';
import { sql } from 'kysely';
import { SERVICE_KEY } from '../app.ts';
import { makeContentImport, makeDraft, makeWholeExport } from '../authority/things.ts';
import { makeCohort, putInCohort } from '../factories/cohorts.ts';
import { ADMINISTRATOR, type Names, type Planting, PRIVATE } from './planting.ts';

const SERVICE = { serviceKey: SERVICE_KEY };

/** Records of administrators and services about the victim, and the victim's own requests. */
export async function plantRecords(
  planting: Planting,
  closed: { id: string; journey: { key: string } },
): Promise<Names> {
  const { test, people, plant, call } = planting;
  const { victim, member, administrator } = people;
  const { db } = test.ctx;
  const cohort = await makeCohort(test, { name: plant('cohort', ADMINISTRATOR), products: [closed.id] });
  await putInCohort(test, cohort, victim);
  await putInCohort(test, await makeCohort(test), member);
  const { uploadId } = await call(createUpload, administrator.as, {
    params: { id: cohort },
    body: { slug: 'spring', emails: [`${plant('uploaded', ADMINISTRATOR)}@example.org`, victim.email] },
  });
  const draftId = await makeDraft(test, cohort, administrator);
  await sql`
    update cohort_drafts set name = ${plant('file', ADMINISTRATOR)},
      wrong = ${JSON.stringify([{ row: 1, value: plant('row', ADMINISTRATOR), reason: 'malformed' }])}
    where id = ${draftId}`.execute(db);
  const importId = await makeContentImport(test);
  const named = { name: plant('imported', ADMINISTRATOR) };
  await db.updateTable('content_imports').set(named).where('id', '=', importId).execute();
  const rule = await call(createAutoApproval, SERVICE, {
    body: { type: 'email', value: `${plant('rule', ADMINISTRATOR)}@example.org` },
  });
  await call(referColleague, victim.as, {
    body: { email: `${plant('referred', PRIVATE)}@example.org`, type: 'courses', slug: 'for-all' },
  });
  const { enrolments } = await call(enrolPerson, SERVICE, {
    body: {
      email: victim.email,
      cohortIds: [cohort],
      userDefaults: { note: plant('defaults', ADMINISTRATOR) },
      enrolments: [{ type: 'courses', slug: 'for-all' }],
    },
  });
  const { rows: connections } = await sql<{ id: string }>`
    insert into connections (id, low_id, high_id, asker_id)
    values (gen_random_uuid(), least(${victim.id}::uuid, ${member.id}), greatest(${victim.id}::uuid, ${member.id}),
      ${member.id})
    returning id`.execute(db);
  const { rows: memberships } = await sql<{ id: string }>`
    update community_members set metadata = ${JSON.stringify({ note: plant('membership', PRIVATE) })}
    where user_id = ${victim.id} returning id`.execute(db);
  const { id: exportId } = await call(requestDataExport, victim.as);
  await test.drain();
  const wholeExportId = await makeWholeExport(test, administrator);
  return {
    'auto-approvals/id': [rule.id],
    'bulk-enrolments/id': [enrolments[0].id],
    'cohorts/id': [cohort],
    'connections/id': [victim.id, ...connections.map(({ id }) => id)],
    'drafts/draftId': [draftId],
    'exports/id': [exportId],
    'imports/importId': [importId],
    'progress/journeyId': [closed.journey.key],
    'uploads/uploadId': [uploadId],
    'whole-exports/exportId': [wholeExportId],
    'user-communities/id': memberships.map(({ id }) => id),
  };
}
