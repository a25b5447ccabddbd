import { type Db, readDatabaseTime } from '#server/db/client.ts';
import { findContentAt } from '#server/areas/catalogue/editorial.repository.ts';
import { matchSessions, planSessions, recurrenceFault, type Schedule, scheduleFault } from './event-schedule.policy.ts';
import { fillSeats, notifyRegistered } from '#server/areas/catalogue/seat.repository.ts';
import * as store from './event-session.repository.ts';

export { recurrenceFault, type Schedule, scheduleFault };
export type { SessionPatch } from './event-session.repository.ts';

/** The first of the named community and course that does not exist. */
export async function findMissingTarget(
  db: Db,
  { community, course }: Pick<Schedule, 'community' | 'course'>,
): Promise<'community' | 'course' | undefined> {
  const { communityId, courseId } = await targetsOf(db, { community, course });
  if (community !== null && communityId === null) return 'community';
  return course !== null && courseId === null ? 'course' : undefined;
}

async function targetsOf(db: Db, { community, course }: Pick<Schedule, 'community' | 'course'>) {
  const paths = [
    ...(community === null ? [] : [`communities/${community}`]),
    ...(course === null ? [] : [`courses/${course}`]),
  ];
  const found = await findContentAt(db, paths);
  return {
    communityId: found.get(`communities/${community}`)?.key ?? null,
    courseId: found.get(`courses/${course}`)?.key ?? null,
  };
}

/**
 * Publishes a schedule without faults: makes, moves and cancels the sessions of the event, and notifies the people who
 * registered for those that change. Answers whether anything changed.
 */
export async function putSchedule(db: Db, id: string, schedule: Schedule): Promise<boolean> {
  const { starts, ends, timeZone, recurrence, place, link, capacity, recording } = schedule;
  if (starts === null || ends === null) throw new Error('A schedule without dates is never published');
  const before = await store.lockEvent(db, id);
  const { communityId, courseId } = await targetsOf(db, schedule);
  const row = { id, starts, ends, recurrence, place, link, capacity, recording, time_zone: timeZone };
  if (!(await store.putEvent(db, { ...row, community_id: communityId, course_id: courseId }))) return false;
  const now = await readDatabaseTime(db);
  const stored = await store.findSessions(db, id);
  const { added, moved, deleted, cancelled } = matchSessions(stored, planSessions(schedule), now);
  await store.insertSessions(db, id, added);
  await store.moveSessions(db, moved);
  await store.deleteSessions(db, deleted);
  await store.cancelSessions(db, cancelled);
  await notifyRegistered(db, cancelled, 'event_cancelled');
  const isElsewhere = before !== undefined && (before.place !== place || before.link !== link);
  const gone = new Set([...deleted, ...cancelled, ...moved.map((session) => session.id)]);
  const staying = stored.filter((session) => !gone.has(session.id) && !session.isCancelled && session.endsAt > now);
  const elsewhere = isElsewhere ? staying.map((session) => session.id) : [];
  await store.touchSessions(db, elsewhere);
  await notifyRegistered(db, [...moved.map((session) => session.id), ...elsewhere], 'event_changed');
  await fillSeats(
    db,
    stored.filter((session) => session.endsAt > now).map((session) => session.id),
  );
  return true;
}

/** Changes one session and notifies the people who registered for it. Answers false for an unknown session. */
export async function changeSession(db: Db, id: string, patch: store.SessionPatch): Promise<boolean> {
  const before = await store.lockSession(db, id);
  if (!before) return false;
  await store.patchSession(db, id, patch);
  const isCancelled = patch.cancelled ?? before.isCancelled;
  if (!before.isOver) {
    const isElsewhere =
      (patch.place !== undefined && patch.place !== before.place) ||
      (patch.link !== undefined && patch.link !== before.link);
    if (isCancelled && !before.isCancelled) await notifyRegistered(db, [id], 'event_cancelled');
    else if (!isCancelled && (isElsewhere || before.isCancelled)) await notifyRegistered(db, [id], 'event_changed');
  }
  await fillSeats(db, [id]);
  return true;
}
