import { CAPABILITIES, type Capability } from '@officium/contract/capabilities';
import type { AssignedRole, PlaceKind } from '@officium/contract/roles';
import { AppError, notFound } from '../errors.ts';
import { type HeldRole, isActive, isAdministrator, type UserViewer, type Viewer } from './viewer.ts';

export type RolePlace = { kind: 'installation' } | { kind: Exclude<PlaceKind, 'installation'>; id: string };

export const INSTALLATION: RolePlace = { kind: 'installation' };

/** The roles that include each capability. */
const ROLES_WITH: Record<Capability, readonly AssignedRole[]> = {
  'edit-content': ['author', 'course-owner'],
  'manage-cohort': ['cohort-manager'],
  'mark-answers': ['course-owner'],
  'moderate-community': ['moderator'],
  'moderate-lessons': ['course-owner'],
  'publish-content': ['course-owner'],
  'read-audit': ['auditor'],
  'read-cases': ['auditor', 'moderator', 'course-owner'],
  'read-cohort': ['report-reader', 'cohort-manager'],
  'read-content': ['author', 'course-owner', 'translator'],
  'read-reports': ['report-reader', 'cohort-manager', 'course-owner'],
  'translate-content': ['author', 'course-owner', 'translator'],
};

/**
 * The roles that count in this session: none in a session narrowed by a token or opened by a service, of an inactive or
 * unproven account, or while a required second factor is missing.
 */
function rolesOf(viewer: Viewer): readonly HeldRole[] {
  const doCount = isActive(viewer) && viewer.permissions === null && !viewer.isMinted && !viewer.lacksFactor;
  return doCount ? (viewer.roles ?? []) : [];
}

/** The viewer's roles that include a capability. */
function rolesFor(viewer: Viewer, capability: Capability): readonly HeldRole[] {
  return rolesOf(viewer).filter(({ role }) => ROLES_WITH[capability].includes(role));
}

/** A role in the installation holds everywhere, and one in an academy for its courses. */
function holdsIn({ kind, id, courses }: HeldRole, place: RolePlace): boolean {
  if (kind === 'installation') return true;
  if (place.kind === 'installation') return false;
  if (kind === place.kind) return id === place.id;
  return kind === 'academy' && place.kind === 'course' && (courses ?? []).includes(place.id);
}

/** Whether an assigned role gives the viewer a capability in a place; administrators have theirs without. */
export function mayByRole(viewer: Viewer, capability: Capability, place: RolePlace): boolean {
  return rolesFor(viewer, capability).some((held) => holdsIn(held, place));
}

/** Whether the viewer has a capability in a place. */
export function may(viewer: Viewer, capability: Capability, place: RolePlace): viewer is UserViewer {
  return isAdministrator(viewer) || mayByRole(viewer, capability, place);
}

/** Throws 404 unless the viewer has the first capability in the place, then 403 unless they also have the second. */
export function requireAlso(viewer: Viewer, [first, second]: [Capability, Capability], place: RolePlace): void {
  requireMay(viewer, first, place);
  if (!may(viewer, second, place)) throw new AppError('auth.forbidden');
}

/** Whether the viewer has a capability in some place. */
export function mayAnywhere(viewer: Viewer, capability: Capability): viewer is UserViewer {
  return isAdministrator(viewer) || rolesFor(viewer, capability).length > 0;
}

/** Throws 404 unless the viewer has the capability in the place, so that the answer does not reveal what exists. */
export function requireMay(viewer: Viewer, capability: Capability, place: RolePlace): void {
  if (!may(viewer, capability, place)) throw notFound();
}

/** The viewer's capabilities in some place; pages offer only these. */
export function capabilitiesOf(viewer: Viewer): Capability[] {
  return CAPABILITIES.filter((capability) => mayAnywhere(viewer, capability));
}

/** The capabilities of the viewer's roles in one place; undefined for administrators, who may do everything. */
export function capabilitiesIn(viewer: Viewer, place: RolePlace): Capability[] | undefined {
  if (isAdministrator(viewer)) return undefined;
  return CAPABILITIES.filter((capability) => may(viewer, capability, place));
}

/** The ids of the places in which a viewer has a capability. */
export type HeldPlaces = Record<'academies' | 'courses' | 'cohorts' | 'communities', string[]>;

/** The places in which the viewer has a capability, for lists; null: everywhere. */
export function placesWith(viewer: Viewer, capability: Capability): HeldPlaces | null {
  const held = rolesFor(viewer, capability);
  if (isAdministrator(viewer) || held.some(({ kind }) => kind === 'installation')) return null;
  const idsOf = (wanted: PlaceKind) => held.flatMap(({ kind, id }) => (kind === wanted && id !== null ? [id] : []));
  return {
    academies: idsOf('academy'),
    courses: [...idsOf('course'), ...held.flatMap(({ courses }) => courses ?? [])],
    cohorts: idsOf('cohort'),
    communities: idsOf('community'),
  };
}
