import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import * as contract from '@officium/contract/roles';
import { requireRecentSignIn } from '#server/access/recent.ts';
import { placesWith } from '#server/access/roles.ts';
import { announceSessionChange } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { pickText } from '#server/text/localised.ts';
import * as repository from './role.repository.ts';
import { titleOf, toAssignment } from './role.view.ts';

/** A person has few roles; one page holds all. */
const ALL = { limit: 1000, offset: 0 };

export async function listRolesOf(
  ctx: Ctx,
  id: string,
  locale: Locale,
): Promise<ReplyOf<typeof contract.listPersonRoles>> {
  if (!(await getUser(ctx.db, id))) throw notFound();
  const { rows } = await repository.findAssignments(ctx.db, { userId: id, ...ALL });
  return { assignments: rows.map((row) => toAssignment(row, locale)) };
}

export async function listAssignments(
  ctx: Ctx,
  query: InputOf<typeof contract.listRoleAssignments>['query'],
  locale: Locale,
): Promise<ReplyOf<typeof contract.listRoleAssignments>> {
  const { rows, total } = await repository.findAssignments(ctx.db, query);
  return { assignments: rows.map((row) => toAssignment(row, locale)), total };
}

/** Nobody changes their own roles, and both changes need a recent sign-in. */
function requireMayChange(viewer: UserViewer, id: string): void {
  if (viewer.id === id) throw new AppError('people.own_rights');
  requireRecentSignIn(viewer);
}

const detailOf = (role: string, kind: string, placeId: string | null) => ({
  role,
  kind,
  ...(placeId === null ? {} : { placeId }),
});

/** Assigns a role; one that the person already has in the place stays as it is. */
export async function assignRole(
  ctx: Ctx,
  viewer: UserViewer,
  { id, locale }: { id: string; locale: Locale },
  { role, kind, placeId = null }: InputOf<typeof contract.giveRole>['body'],
): Promise<contract.Assignment> {
  requireMayChange(viewer, id);
  if (!contract.PLACES_OF_ROLE[role].includes(kind)) throw new AppError('admin.role_not_in_place');
  const assignment = await inTransaction(ctx.db, async (trx) => {
    if (!(await getUser(trx, id)) || !(await repository.hasPlace(trx, kind, placeId))) throw notFound();
    const given = await repository.insertAssignment(trx, { userId: id, role, kind, placeId, givenBy: viewer.id });
    if (given !== undefined) {
      await recordAction(trx, viewer, { action: 'admin.give-role', object: id, detail: detailOf(role, kind, placeId) });
      await announceSessionChange(trx, id);
      await notify(trx, [{ userId: id, event: 'role_change', objectId: given }]);
    }
    const query = { userId: id, role, kind, ...(placeId === null ? {} : { placeId }), ...ALL };
    const [row] = (await repository.findAssignments(trx, query)).rows;
    if (!row) throw notFound();
    return toAssignment(row, locale);
  });
  ctx.sessions.forget(id);
  return assignment;
}

export async function removeRole(
  ctx: Ctx,
  viewer: UserViewer,
  { id, assignmentId }: { id: string; assignmentId: string },
): Promise<void> {
  requireMayChange(viewer, id);
  await inTransaction(ctx.db, async (trx) => {
    const taken = await repository.deleteAssignment(trx, { id: assignmentId, userId: id });
    if (!taken) throw notFound();
    const detail = detailOf(taken.role, taken.kind, taken.place_id);
    await recordAction(trx, viewer, { action: 'admin.take-role', object: id, detail });
    await announceSessionChange(trx, id);
    await notify(trx, [{ userId: id, event: 'role_change', objectId: assignmentId }]);
  });
  ctx.sessions.forget(id);
}

/** The places in which a role can be assigned, with the installation first. */
export async function findPlacesFor(
  ctx: Ctx,
  { role, match }: InputOf<typeof contract.findRolePlaces>['query'],
  locale: Locale,
): Promise<ReplyOf<typeof contract.findRolePlaces>> {
  const places: ReplyOf<typeof contract.findRolePlaces>['places'] = [];
  for (const kind of contract.PLACES_OF_ROLE[role]) {
    if (kind === 'installation') {
      if (match === '') places.push({ kind, id: null, title: null });
      continue;
    }
    const rows = await repository.findPlaces(ctx.db, kind, { match, limit: contract.PLACES_FOUND });
    places.push(...rows.map((row) => ({ kind, id: row.id, title: titleOf(row, locale) })));
  }
  return { places: places.slice(0, contract.PLACES_FOUND) };
}

/** The courses and cohorts whose reports the viewer may read. */
export async function listMyReportPlaces(
  ctx: Ctx,
  viewer: UserViewer,
  locale: Locale,
): Promise<ReplyOf<typeof contract.listReportPlaces>> {
  const places = placesWith(viewer, 'read-reports');
  const [courses, cohorts] = await Promise.all([
    repository.findReportedCourses(ctx.db, places?.courses ?? null, contract.REPORT_PLACES),
    repository.findReportedCohorts(ctx.db, places?.cohorts ?? null, contract.REPORT_PLACES),
  ]);
  return {
    isEverywhere: places === null,
    courses: courses.map(({ slug, title }) => ({ slug, title: pickText(title, locale).text })),
    cohorts,
  };
}
