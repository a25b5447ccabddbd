import { openCourseSlugs } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type AssignedRow, findAssignedJourneys, findAssignedMicrocourses } from './assignment.repository.ts';

const LAST = '9999-12-31';

/** The viewer's assignments that are not begun, the earliest due date first. */
export async function listMyAssignments({ db }: Ctx, viewer: UserViewer): Promise<AssignedRow[]> {
  const found = await Promise.all([
    findAssignedJourneys(db, { userId: viewer.id, open: openCourseSlugs(viewer) }),
    findAssignedMicrocourses(db, viewer.id),
  ]);
  const rows = found.flat().toSorted((one, other) => compare(one.due_on ?? LAST, other.due_on ?? LAST));
  return rows.filter((row, index) => rows.findIndex(({ kind, key }) => kind === row.kind && key === row.key) === index);
}

/** Compares two days as text. */
function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
