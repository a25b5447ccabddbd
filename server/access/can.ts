import {
  isActive,
  isAdministrator,
  isLockedOut,
  isPublicServant,
  isUser,
  type TokenPermissions,
  type UserViewer,
  type Viewer,
} from './viewer.ts';

/** Audiences, each within the one before: public 0 · authenticated 1 · verified 2 · private 3. */
export const SCOPES = ['public', 'authenticated', 'verified', 'private'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a person may do in one community or course. */
export const LEVELS = ['none', 'reduced', 'basic', 'full-control'] as const;
export type LevelName = (typeof LEVELS)[number];
export type Level = 0 | 1 | 2 | 3;
export const NONE = 0;
/** Read, like, vote, report. */
export const REDUCED = 1;
/** Also post, reply, mention, start polls, share, edit and delete what is one's own. */
export const BASIC = 2;
/** Also delete what is others', pin, remove members, edit the page. */
export const FULL_CONTROL = 3;

/**
 * Is the viewer in the audience of a scope? `granted` says whether the database holds an explicit grant for them
 * (membership, cohort product, invitation, entitlement) that is in force now; it opens every scope.
 */
export function admits(scope: Scope, viewer: Viewer, granted: boolean): boolean {
  if (isAdministrator(viewer)) return true;
  if (granted && isActive(viewer)) return true;
  switch (scope) {
    case 'public':
      return true;
    case 'authenticated':
      return isActive(viewer);
    case 'verified':
      return isPublicServant(viewer);
    case 'private':
      return false;
  }
}

/** A join is never looser than a view. */
export function isScopePairValid(canView: Scope, canJoin: Scope): boolean {
  return SCOPES.indexOf(canJoin) >= SCOPES.indexOf(canView);
}

export type CommunityPrivacy = 'closed-hidden' | 'closed-visible' | 'open-hidden' | 'open-visible';
export type CommunityFacts = {
  slug: string;
  privacy: CommunityPrivacy;
  canView: Scope;
  canJoin: Scope;
  /** The viewer is in a cohort whose product it is, which is as good as an invitation. */
  isGranted: boolean;
};
/** `level` is an explicit grant of the database, null when the role decides. */
export type Membership = {
  role: 'owner' | 'member';
  level: Level | null;
  status: 'active' | 'pending' | 'invited';
} | null;

/** Two versions of the claim exist, a number and a name; anything else grants nothing. */
export function readLevel(claim: unknown): Level {
  if (claim === 0 || claim === 1 || claim === 2 || claim === 3) return claim;
  const named = LEVELS.indexOf(claim as LevelName); // indexOf answers -1 for whatever is not a name
  return named === -1 ? NONE : (named as Level); // an index of LEVELS
}

/** The most a session's token lets its bearer do in a community; no token, no limit. */
function tokenCommunityLevel(permissions: TokenPermissions | null, slug: string): Level {
  if (permissions?.communities === undefined) return FULL_CONTROL;
  return readLevel(permissions.communities[slug]);
}

/** The communities a session may use memberships in, by slug; null: all. In others it is a stranger's. */
export function openCommunitySlugs(viewer: Viewer): string[] | null {
  const communities = isUser(viewer) ? viewer.permissions?.communities : undefined;
  return communities ? Object.keys(communities).filter((slug) => readLevel(communities[slug]) > NONE) : null;
}

function tokenCourseLevel(permissions: TokenPermissions | null, slug: string): Level {
  if (permissions?.courses === undefined) return FULL_CONTROL;
  const claims = permissions.courses[slug];
  if (!Array.isArray(claims)) return NONE;
  if (claims.length === 0) return BASIC;
  return claims.reduce<Level>((most, claim) => Math.max(most, readLevel(claim)) as Level, NONE); // a maximum of levels
}

/** The courses a session may use grants and places in, by slug; null: all. In others it is a stranger's. */
export function openCourseSlugs(viewer: Viewer): string[] | null {
  const permissions = isUser(viewer) ? viewer.permissions : null;
  if (permissions?.courses === undefined) return null;
  return Object.keys(permissions.courses).filter((slug) => tokenCourseLevel(permissions, slug) > NONE);
}

/** The places in which a session may use its person's own records; null means everywhere. */
export type OpenSlugs = { communities: string[] | null; courses: string[] | null };

export function openSlugs(viewer: Viewer): OpenSlugs {
  return { communities: openCommunitySlugs(viewer), courses: openCourseSlugs(viewer) };
}

export function isNarrowed({ communities, courses }: OpenSlugs): boolean {
  return communities !== null || courses !== null;
}

/** The token of this session leaves the community out, so that no membership there counts. */
export function isShutOut(viewer: Viewer, slug: string): boolean {
  return isUser(viewer) && tokenCommunityLevel(viewer.permissions, slug) === NONE;
}

/** The same of a course: no grant, no place and no record there counts. */
export function isShutOutOfCourse(viewer: Viewer, slug: string): boolean {
  return isUser(viewer) && tokenCourseLevel(viewer.permissions, slug) === NONE;
}

/** What the database grants, before a token narrows it. */
function grantedCommunityLevel(viewer: UserViewer, membership: Membership): Level {
  if (isAdministrator(viewer)) return FULL_CONTROL;
  if (membership?.status !== 'active') return NONE;
  if (membership.role === 'owner') return FULL_CONTROL;
  if (membership.level !== null) return membership.level;
  return isPublicServant(viewer) ? BASIC : REDUCED;
}

/** The level of a viewer in a community. Anonymous visitors, services and non-members have none. */
export function communityLevel(viewer: Viewer, community: CommunityFacts, membership: Membership): Level {
  if (!isActive(viewer)) return NONE;
  const granted = grantedCommunityLevel(viewer, membership);
  return Math.min(granted, tokenCommunityLevel(viewer.permissions, community.slug)) as Level; // a minimum of levels
}

/** hidden: as if it did not exist · page: name and description · content: posts and members too. */
export type CommunitySight = 'hidden' | 'page' | 'content';

/**
 * How much of a community a viewer sees. Whoever has a level in it sees all; beyond the scope, an invitation shows the
 * page, as does a membership that was taken every level.
 */
export function communitySight(viewer: Viewer, community: CommunityFacts, membership: Membership): CommunitySight {
  if (isLockedOut(viewer)) return 'hidden';
  if (communityLevel(viewer, community, membership) > NONE) return 'content';
  const counts = isActive(viewer) && !isShutOut(viewer, community.slug);
  const status = counts ? membership?.status : undefined;
  const isInvited = status === 'invited' || (counts && community.isGranted);
  const isAdmitted = admits(community.canView, viewer, isInvited);
  const atLeast = isInvited || status === 'active' ? 'page' : 'hidden';
  switch (community.privacy) {
    case 'open-visible':
    case 'open-hidden':
      return isAdmitted ? 'content' : atLeast;
    case 'closed-visible':
      return isAdmitted ? 'page' : atLeast;
    case 'closed-hidden':
      return atLeast;
  }
}

/** yes: at once · request: an owner approves · no. */
export type JoinAnswer = 'yes' | 'request' | 'no';

export function communityJoin(viewer: Viewer, community: CommunityFacts, membership: Membership): JoinAnswer {
  if (!isActive(viewer) || isShutOut(viewer, community.slug)) return 'no';
  if (isAdministrator(viewer) || membership?.status === 'invited' || community.isGranted) return 'yes';
  if (!admits(community.canJoin, viewer, false)) return 'no';
  return community.privacy === 'open-visible' || community.privacy === 'open-hidden'
    ? 'yes'
    : community.privacy === 'closed-visible'
      ? 'request'
      : 'no';
}

export type JourneyPrivacy =
  'closed-private' | 'closed-public' | 'open-private' | 'open-public' | 'stripe-private' | 'stripe-public';
export type CourseFacts = { slug: string; type: 'Public' | 'Private'; canView: Scope; canJoin: Scope };
/** Scopes of a product. Until an administrator has set them they are what came with the content. */
export type SetScopes = { canView: Scope; canJoin: Scope; isSet: boolean };
/** `granted`: a cohort product, invitation or entitlement in force; `enrolled`: an enrolment that has not expired. */
export type LearnerFacts = { granted: boolean; enrolled: boolean };

export const stricter = (a: Scope, b: Scope): Scope => (SCOPES.indexOf(a) > SCOPES.indexOf(b) ? a : b);

/**
 * A course as it is for one of its journeys: with the course's scopes until an administrator has set the journey's own.
 * Where both were set, with the stricter of the two. A journey that is no product has none.
 */
export function factsOfJourney(course: CourseFacts & SetScopes, own: SetScopes | null): CourseFacts {
  if (!own?.isSet) return course;
  const { canView, canJoin } = own;
  if (!course.isSet) return { ...course, canView, canJoin };
  return { ...course, canView: stricter(course.canView, canView), canJoin: stricter(course.canJoin, canJoin) };
}

/** Does the viewer hold anything in a course, or administer it, that a session of theirs may use? */
function holdsCourse(viewer: Viewer, { slug }: Pick<CourseFacts, 'slug'>, learner: LearnerFacts): boolean {
  if (!isActive(viewer) || isShutOutOfCourse(viewer, slug)) return false;
  return isAdministrator(viewer) || learner.granted || learner.enrolled;
}

/** May the viewer see a course in the catalogue? A private course needs a grant whatever its scopes say. */
export function canSeeCourse(viewer: Viewer, course: CourseFacts, learner: LearnerFacts): boolean {
  const isHeld = holdsCourse(viewer, course, learner);
  if (course.type === 'Private') return isHeld;
  if (isLockedOut(viewer)) return false;
  return admits(course.canView, viewer, isHeld);
}

/** A `*-private` journey is seen only with a grant. */
export function canSeeJourney(
  viewer: Viewer,
  course: CourseFacts,
  privacy: JourneyPrivacy,
  learner: LearnerFacts,
): boolean {
  if (!canSeeCourse(viewer, course, learner)) return false;
  return privacy.endsWith('-public') || holdsCourse(viewer, course, learner);
}

/** May the viewer enrol without anybody's help? Closed journeys need a grant; paid ones an entitlement, which is one. */
export function canEnrol(viewer: Viewer, course: CourseFacts, privacy: JourneyPrivacy, learner: LearnerFacts): boolean {
  if (!isActive(viewer) || isShutOutOfCourse(viewer, course.slug)) return false;
  if (!canSeeJourney(viewer, course, privacy, learner)) return false;
  if (isAdministrator(viewer) || learner.granted) return true;
  return privacy.startsWith('open-') && admits(course.canJoin, viewer, false);
}

/** The level of a viewer in a course: full control for administrators, basic once enrolled. */
export function courseLevel(viewer: Viewer, course: Pick<CourseFacts, 'slug'>, learner: LearnerFacts): Level {
  if (!isActive(viewer)) return NONE;
  const granted = isAdministrator(viewer) ? FULL_CONTROL : learner.enrolled ? BASIC : NONE;
  return Math.min(granted, tokenCourseLevel(viewer.permissions, course.slug)) as Level; // a minimum of levels
}

/** How much of a profile a viewer sees: full · name only. */
export function canSeeProfile(
  viewer: Viewer,
  profile: { userId: string; visibility: 'default' | 'public' | 'private' },
  isConnected: boolean,
): boolean {
  if (!isActive(viewer)) return false;
  if (viewer.id === profile.userId || isAdministrator(viewer)) return true;
  return profile.visibility !== 'private' || isConnected;
}
