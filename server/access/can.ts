import { holds, type Rule } from './rule.ts';
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

/** Audiences, each a subset of the one before: public 0 · authenticated 1 · verified 2 · private 3. */
export const SCOPES = ['public', 'authenticated', 'verified', 'private'] as const;
export type Scope = (typeof SCOPES)[number];

/** A viewer's rights in one community or course. */
export const LEVELS = ['none', 'reduced', 'basic', 'full-control'] as const;
export type LevelName = (typeof LEVELS)[number];
export type Level = 0 | 1 | 2 | 3;
export const NONE = 0;
/** Read, like, vote, report. */
export const REDUCED = 1;
/** Also post, reply, mention, start polls, share, and edit and delete one's own content. */
export const BASIC = 2;
/** Also delete others' content, pin, remove members, edit the page. */
export const FULL_CONTROL = 3;

/**
 * Whether the viewer belongs to the audience of a scope. `granted`: the database holds a grant in force for them
 * (membership, cohort product, invitation, entitlement), which opens every scope.
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

/** The scopes that are open to a viewer without a grant, for lists. */
export function openScopes(viewer: Viewer): Scope[] {
  return isLockedOut(viewer) ? [] : SCOPES.filter((scope) => admits(scope, viewer, false));
}

/** Joining is never open to a larger audience than viewing. */
export function isScopePairValid(canView: Scope, canJoin: Scope): boolean {
  return SCOPES.indexOf(canJoin) >= SCOPES.indexOf(canView);
}

export type CommunityPrivacy = 'closed-hidden' | 'closed-visible' | 'open-hidden' | 'open-visible';
export type CommunityFacts = {
  slug: string;
  privacy: CommunityPrivacy;
  canView: Scope;
  canJoin: Scope;
  /** A cohort of the viewer has the community as a product, which counts as an invitation. */
  isGranted: boolean;
};
/** `level` is an explicit grant in the database; null: the role decides. */
export type Membership = {
  role: 'owner' | 'member';
  level: Level | null;
  status: 'active' | 'pending' | 'invited';
} | null;

/** The claim exists as a number and as a name; anything else grants nothing. */
export function readLevel(claim: unknown): Level {
  if (claim === 0 || claim === 1 || claim === 2 || claim === 3) return claim;
  const named = LEVELS.indexOf(claim as LevelName); // indexOf returns -1 for anything that is no name
  return named === -1 ? NONE : (named as Level); // an index of LEVELS
}

/** The highest level the session's token allows in a community; without a token there is no limit. */
function tokenCommunityLevel(permissions: TokenPermissions | null, slug: string): Level {
  if (permissions?.communities === undefined) return FULL_CONTROL;
  return readLevel(permissions.communities[slug]);
}

/**
 * The slugs of the communities in which a session may use memberships; null: all. Elsewhere it has the rights of a
 * non-member.
 */
export function openCommunitySlugs(viewer: Viewer): string[] | null {
  const communities = isUser(viewer) ? viewer.permissions?.communities : undefined;
  return communities ? Object.keys(communities).filter((slug) => readLevel(communities[slug]) > NONE) : null;
}

/** The highest level the session's token allows in a course. */
export function tokenCourseLevel(permissions: TokenPermissions | null, slug: string): Level {
  if (permissions?.courses === undefined) return FULL_CONTROL;
  const claims = permissions.courses[slug];
  if (!Array.isArray(claims)) return NONE;
  if (claims.length === 0) return BASIC;
  return claims.reduce<Level>((most, claim) => Math.max(most, readLevel(claim)) as Level, NONE); // a maximum of levels
}

/**
 * The slugs of the courses in which a session may use grants and enrolments; null: all. Elsewhere it has no more rights
 * than without them.
 */
export function openCourseSlugs(viewer: Viewer): string[] | null {
  const permissions = isUser(viewer) ? viewer.permissions : null;
  if (permissions?.courses === undefined) return null;
  return Object.keys(permissions.courses).filter((slug) => tokenCourseLevel(permissions, slug) > NONE);
}

/** The communities and courses in which a session may use its user's records; null: all. */
export type OpenSlugs = { communities: string[] | null; courses: string[] | null };

export function openSlugs(viewer: Viewer): OpenSlugs {
  return { communities: openCommunitySlugs(viewer), courses: openCourseSlugs(viewer) };
}

export function isNarrowed({ communities, courses }: OpenSlugs): boolean {
  return communities !== null || courses !== null;
}

/** The session's token leaves the community out, so no membership there counts. */
export function isShutOut(viewer: Viewer, slug: string): boolean {
  return isUser(viewer) && tokenCommunityLevel(viewer.permissions, slug) === NONE;
}

/** The session's token leaves the course out, so no grant, enrolment or record there counts. */
export function isShutOutOfCourse(viewer: Viewer, slug: string): boolean {
  return isUser(viewer) && tokenCourseLevel(viewer.permissions, slug) === NONE;
}

/** The level that the database grants, before a token narrows it. */
function grantedCommunityLevel(viewer: UserViewer, membership: Membership): Level {
  if (isAdministrator(viewer)) return FULL_CONTROL;
  if (membership?.status !== 'active') return NONE;
  if (membership.role === 'owner') return FULL_CONTROL;
  if (membership.level !== null) return membership.level;
  return isPublicServant(viewer) ? BASIC : REDUCED;
}

/** The level of a viewer in a community. Anonymous viewers, services and non-members have none. */
export function communityLevel(viewer: Viewer, community: CommunityFacts, membership: Membership): Level {
  if (!isActive(viewer)) return NONE;
  const granted = grantedCommunityLevel(viewer, membership);
  return Math.min(granted, tokenCommunityLevel(viewer.permissions, community.slug)) as Level; // a minimum of levels
}

/** hidden: answered as missing · page: name and description · content: posts and members too. */
export type CommunityVisibility = 'hidden' | 'page' | 'content';

/** The conditions on a viewer and a community that decide its visibility. */
export type CommunityCondition =
  'hasLevel' | 'isMember' | 'isInvited' | 'isInScope' | 'isOpen' | 'isListed' | 'hasScopedPage';

/** The rule for seeing the posts of a community. */
export const SEES_COMMUNITY_CONTENT: Rule<CommunityCondition> = {
  any: ['hasLevel', { all: ['isOpen', { any: ['isInScope', 'isInvited'] }] }],
};
/** The rule for seeing the page of a community; a membership with the level none still shows it. */
export const SEES_COMMUNITY_PAGE: Rule<CommunityCondition> = {
  any: ['hasLevel', 'isMember', 'isInvited', { all: ['hasScopedPage', 'isInScope'] }],
};
/** The rule for finding a community in a list. */
export const FINDS_COMMUNITY: Rule<CommunityCondition> = {
  any: ['hasLevel', 'isMember', 'isInvited', { all: ['isListed', 'isInScope'] }],
};

export function communityConditions(
  viewer: Viewer,
  community: CommunityFacts,
  membership: Membership,
): Record<CommunityCondition, boolean> {
  const { privacy, canView, slug, isGranted } = community;
  const counts = isActive(viewer) && !isShutOut(viewer, slug);
  return {
    hasLevel: communityLevel(viewer, community, membership) > NONE,
    isMember: counts && membership?.status === 'active',
    isInvited: counts && (membership?.status === 'invited' || isGranted),
    isInScope: !isLockedOut(viewer) && admits(canView, viewer, false),
    isOpen: privacy === 'open-visible' || privacy === 'open-hidden',
    isListed: privacy === 'open-visible' || privacy === 'closed-visible',
    hasScopedPage: privacy !== 'closed-hidden',
  };
}

/** How much of a community a viewer sees. Statements build the same rules with `communityRule`. */
export function communityVisibility(
  viewer: Viewer,
  community: CommunityFacts,
  membership: Membership,
): CommunityVisibility {
  const conditions = communityConditions(viewer, community, membership);
  if (holds(SEES_COMMUNITY_CONTENT, conditions)) return 'content';
  return holds(SEES_COMMUNITY_PAGE, conditions) ? 'page' : 'hidden';
}

/** yes: at once · request: after an owner's approval · no. */
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
/** The scopes of a product; those of the imported content until an administrator sets them. */
export type SetScopes = { canView: Scope; canJoin: Scope; isSet: boolean };
/** `granted`: a cohort product, invitation or entitlement in force; `enrolled`: an enrolment that has not expired. */
export type LearnerFacts = { granted: boolean; enrolled: boolean };

export const stricter = (a: Scope, b: Scope): Scope => (SCOPES.indexOf(a) > SCOPES.indexOf(b) ? a : b);

/**
 * A course as seen for one of its journeys. Its own scopes apply until an administrator has set the journey's; where
 * both were set, the stricter of the two. A journey that is no product has none.
 */
export function factsOfJourney(course: CourseFacts & SetScopes, own: SetScopes | null): CourseFacts {
  if (!own?.isSet) return course;
  const { canView, canJoin } = own;
  if (!course.isSet) return { ...course, canView, canJoin };
  return { ...course, canView: stricter(course.canView, canView), canJoin: stricter(course.canJoin, canJoin) };
}

/** Whether the viewer is an administrator, granted or enrolled in a course, as far as the session's token allows. */
function holdsCourse(viewer: Viewer, { slug }: Pick<CourseFacts, 'slug'>, learner: LearnerFacts): boolean {
  if (!isActive(viewer) || isShutOutOfCourse(viewer, slug)) return false;
  return isAdministrator(viewer) || learner.granted || learner.enrolled;
}

/** Whether the viewer sees a course in the catalogue. A private course needs a grant whatever its scopes are. */
export function canSeeCourse(viewer: Viewer, course: CourseFacts, learner: LearnerFacts): boolean {
  const isHeld = holdsCourse(viewer, course, learner);
  if (course.type === 'Private') return isHeld;
  if (isLockedOut(viewer)) return false;
  return admits(course.canView, viewer, isHeld);
}

/** A `*-private` journey is visible only with a grant. */
export function canSeeJourney(
  viewer: Viewer,
  course: CourseFacts,
  privacy: JourneyPrivacy,
  learner: LearnerFacts,
): boolean {
  if (!canSeeCourse(viewer, course, learner)) return false;
  return privacy.endsWith('-public') || holdsCourse(viewer, course, learner);
}

/**
 * Whether the viewer may enrol on their own. Closed journeys need a grant; paid ones an entitlement, which counts as
 * one.
 */
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

/** The conditions on a viewer and a profile that decide its visibility. */
export type ProfileCondition = 'isActive' | 'isAdministrator' | 'isOwn' | 'isShared' | 'isConnected';

/** The rule for seeing a full profile; other viewers see the name only. */
export const SEES_PROFILE: Rule<ProfileCondition> = {
  all: ['isActive', { any: ['isAdministrator', 'isOwn', 'isShared', 'isConnected'] }],
};

/** Whether the viewer sees the full profile, or the name only. */
export function canSeeProfile(
  viewer: Viewer,
  profile: { userId: string; visibility: 'default' | 'public' | 'private' },
  isConnected: boolean,
): boolean {
  return holds(SEES_PROFILE, {
    isActive: isActive(viewer),
    isAdministrator: isAdministrator(viewer),
    isOwn: isUser(viewer) && viewer.id === profile.userId,
    isShared: profile.visibility !== 'private',
    isConnected,
  });
}
