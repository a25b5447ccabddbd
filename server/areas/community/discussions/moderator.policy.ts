import { type Level, NONE, tokenCourseLevel } from '#server/access/can.ts';
import { isActive, type UserViewer } from '#server/access/viewer.ts';

/** The level of an administrator, owner or contact of a course in its lesson discussions; none for others. */
export function moderatorLevel(viewer: UserViewer, courseSlug: string, isModerator: boolean): Level {
  return isActive(viewer) && isModerator ? tokenCourseLevel(viewer.permissions, courseSlug) : NONE;
}
