import { announceSessionChange } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { openPiece } from './piece-open.service.ts';
import { keep } from './piece.service.ts';
import { insertAcademyCourse } from './piece-order.repository.ts';

/** Adds a course that was begun in an academy to its courses, also in the academy's draft, which would remove it again. */
export async function joinAcademy(
  db: Db,
  actor: UserViewer,
  { academyId, courseId }: { academyId: string; courseId: string },
): Promise<void> {
  await insertAcademyCourse(db, academyId, courseId);
  await announceSessionChange(db, actor.id);
  const academy = { kind: 'academy' as const, key: academyId };
  const row = await openPiece(db, academy);
  const { draft } = row;
  if (draft?.kind !== 'academy' || draft.courses.includes(courseId)) return;
  await keep(db, actor, academy, row, { ...draft, courses: [...draft.courses, courseId] }, row.version);
}
