import type { Db } from '#server/db/client.ts';
import { notify } from '#server/notify/notify.ts';
import { type Assigned, enrolAssigned, findOpenAssignments } from './cohort-enrolment.repository.ts';

/** Enrols members in products of a cohort that enrols at once, and notifies those who were not enrolled before. */
export async function enrolMembers(db: Db, assigned: Assigned): Promise<void> {
  const enrolled = await enrolAssigned(db, assigned);
  await notify(
    db,
    enrolled.map(({ id, userId }) => ({ userId, event: 'enrolment', objectId: id })),
  );
}

/** Notifies members of products that their cohort asks for and in which they are not enrolled. */
export async function notifyMembers(db: Db, assigned: Assigned): Promise<void> {
  const open = await findOpenAssignments(db, assigned);
  await notify(
    db,
    open.map(({ userId, journeyKey }) => ({ userId, event: 'assignment', objectId: journeyKey })),
  );
}
