import { describe, expect, it } from 'vitest';
import {
  admits,
  canEnrol,
  canSeeCourse,
  canSeeJourney,
  communityJoin,
  communityLevel,
  communityVisibility,
  courseLevel,
  openCourseSlugs,
  readLevel,
  SCOPES,
} from './can.ts';
import type { CommunityFacts, CourseFacts, JourneyPrivacy, Membership } from './can.ts';
import { ANONYMOUS, type Role, type TokenPermissions, type UserViewer } from './viewer.ts';

const viewer = (role: Role, extra: Partial<UserViewer> = {}): UserViewer => ({
  kind: 'user',
  id: 'u',
  role,
  name: 'U',
  email: 'u@example.gov',
  locale: 'en',
  localeChosen: false,
  thumbnail: null,
  limited: false,
  permissions: null,
  sessionId: 's',
  recentUntilMs: 0,
  hasSecondFactor: false,
  ...extra,
});
const token = (permissions: TokenPermissions) => viewer('public-servant', { permissions });
const member: Membership = { role: 'member', level: null, status: 'active' };
const owner: Membership = { role: 'owner', level: null, status: 'active' };
const moderator: Membership = { role: 'member', level: 3, status: 'active' };
const community = (facts: Partial<CommunityFacts> = {}): CommunityFacts => ({
  slug: 'c',
  privacy: 'open-visible',
  canView: 'public',
  canJoin: 'authenticated',
  isGranted: false,
  ...facts,
});

describe('scopes', () => {
  const callers = {
    anonymous: ANONYMOUS,
    unproven: viewer('public-servant', { limited: true }),
    inactive: viewer('inactive'),
    learner: viewer('non-public-servant'),
    servant: viewer('public-servant'),
    administrator: viewer('administrator'),
  };
  it.each([
    ['anonymous', [true, false, false, false]],
    ['unproven', [true, false, false, false]],
    ['inactive', [true, false, false, false]],
    ['learner', [true, true, false, false]],
    ['servant', [true, true, true, false]],
    ['administrator', [true, true, true, true]],
  ] as const)('admit %s', (name, expected) => {
    expect(SCOPES.map((scope) => admits(scope, callers[name], false))).toEqual(expected);
  });
  it('are all opened by a grant, except to an inactive account', () => {
    expect(admits('private', callers.learner, true)).toBe(true);
    expect(admits('private', callers.inactive, true)).toBe(false);
    expect(admits('private', callers.unproven, true)).toBe(false);
  });
});

describe('levels in a community', () => {
  it.each([
    ['anonymous', ANONYMOUS, null, 0],
    ['a stranger', viewer('public-servant'), null, 0],
    ['a member', viewer('public-servant'), member, 2],
    ['a member who is no public servant', viewer('non-public-servant'), member, 1],
    ['an owner', viewer('non-public-servant'), owner, 3],
    ['a moderator', viewer('public-servant'), moderator, 3],
    ['a pending member', viewer('public-servant'), { ...member!, status: 'pending' }, 0],
    ['an inactive owner', viewer('inactive'), owner, 0],
    ['an administrator', viewer('administrator'), null, 3],
    ['a token of another community', token({ communities: { other: 3 } }), member, 0],
    ['a narrower token, by number', token({ communities: { c: 1 } }), member, 1],
    ['a narrower token, by name', token({ communities: { c: 'reduced' } }), member, 1],
    ['a wider token', token({ communities: { c: 'full-control' } }), member, 2],
    ['a token of courses only', token({ courses: {} }), member, 2],
  ] as const)('%s', (_, who, membership, level) => {
    expect(communityLevel(who, community(), membership)).toBe(level);
  });
  it.each([
    [4, 0],
    [-1, 0],
    ['admin', 0],
    [null, 0],
    [2.5, 0],
    ['basic', 2],
    [3, 3],
  ])('reads %j as %i', (claim, level) => expect(readLevel(claim)).toBe(level));
});

describe('visibility of a community and how it is joined', () => {
  const stranger = viewer('public-servant');
  const invited: Membership = { role: 'member', level: null, status: 'invited' };
  it.each([
    ['open-visible', stranger, null, 'content', 'yes'],
    ['open-hidden', stranger, null, 'content', 'yes'],
    ['closed-visible', stranger, null, 'page', 'request'],
    ['closed-hidden', stranger, null, 'hidden', 'no'],
    ['closed-hidden', stranger, invited, 'page', 'yes'],
    ['closed-hidden', stranger, member, 'content', 'no'],
    ['open-visible', ANONYMOUS, null, 'content', 'no'],
    ['closed-visible', ANONYMOUS, null, 'page', 'no'],
    ['closed-hidden', viewer('administrator'), null, 'content', 'yes'],
    ['open-visible', viewer('inactive'), owner, 'hidden', 'no'],
    ['closed-hidden', token({ communities: { c: 1 } }), member, 'content', 'no'],
    ['closed-hidden', token({ communities: { other: 3 } }), member, 'hidden', 'no'],
    ['closed-hidden', token({ communities: { other: 3 } }), invited, 'hidden', 'no'],
    ['closed-visible', token({ communities: { other: 3 } }), member, 'page', 'no'],
    ['open-visible', token({ communities: { other: 3 } }), member, 'content', 'no'],
    ['closed-hidden', viewer('administrator', { permissions: { communities: {} } }), null, 'hidden', 'no'],
    ['closed-hidden', stranger, { ...member!, level: 0 }, 'page', 'no'],
  ] as const)('%s', (privacy, who, membership, sight, join) => {
    const facts = community({ privacy });
    expect(communityVisibility(who, facts, membership)).toBe(sight);
    if (membership?.status !== 'active') expect(communityJoin(who, facts, membership)).toBe(join);
  });
  it('follows the scopes', () => {
    const facts = community({ canView: 'verified', canJoin: 'private' });
    expect(communityVisibility(viewer('non-public-servant'), facts, null)).toBe('hidden');
    expect(communityVisibility(stranger, facts, null)).toBe('content');
    expect(communityJoin(stranger, facts, null)).toBe('no');
  });
});

describe('courses', () => {
  const course = (facts: Partial<CourseFacts> = {}): CourseFacts => ({
    slug: 'k',
    type: 'Public',
    canView: 'public',
    canJoin: 'authenticated',
    ...facts,
  });
  const none = { granted: false, enrolled: false };
  const learner = viewer('non-public-servant');
  it('are private when their type is private, whatever the scopes', () => {
    expect(canSeeCourse(learner, course({ type: 'Private' }), none)).toBe(false);
    expect(canSeeCourse(learner, course({ type: 'Private' }), { granted: true, enrolled: false })).toBe(true);
    expect(canSeeCourse(ANONYMOUS, course({ type: 'Private' }), none)).toBe(false);
  });
  it.each([
    ['open-public', true, true],
    ['open-private', false, false],
    ['closed-public', true, false],
    ['closed-private', false, false],
    ['stripe-public', true, false],
    ['stripe-private', false, false],
  ] as [JourneyPrivacy, boolean, boolean][])('%s: seen %s, joined %s by a stranger', (privacy, seen, joined) => {
    expect(canSeeJourney(learner, course(), privacy, none)).toBe(seen);
    expect(canEnrol(learner, course(), privacy, none)).toBe(joined);
    expect(canEnrol(learner, course(), privacy, { granted: true, enrolled: false })).toBe(true);
    expect(canEnrol(ANONYMOUS, course(), privacy, none)).toBe(false);
  });
  it('give the level basic to enrolled users, narrowed by a token', () => {
    expect(courseLevel(learner, course(), none)).toBe(0);
    expect(courseLevel(learner, course(), { granted: false, enrolled: true })).toBe(2);
    expect(courseLevel(token({ courses: { other: [] } }), course(), { granted: false, enrolled: true })).toBe(0);
    expect(courseLevel(token({ courses: { k: ['reduced'] } }), course(), { granted: false, enrolled: true })).toBe(1);
    expect(courseLevel(viewer('administrator'), course(), none)).toBe(3);
  });
  const held = { granted: true, enrolled: true };
  it.each([
    ['a token of another course', token({ courses: { other: [] } }), false],
    ['a token without courses', token({ courses: {} }), false],
    ['a token with the level none', token({ courses: { k: ['none'] } }), false],
    ['an administrator’s token without courses', viewer('administrator', { permissions: { courses: {} } }), false],
    ['a token of the course', token({ courses: { k: [] } }), true],
    ['a token of communities only', token({ communities: {} }), true],
  ] as const)('are a stranger’s to %s: held %s', (_, who, isOpen) => {
    expect(canSeeCourse(who, course({ type: 'Private' }), held)).toBe(isOpen);
    expect(canSeeJourney(who, course(), 'closed-private', held)).toBe(isOpen);
    expect(canEnrol(who, course(), 'closed-public', held)).toBe(isOpen);
    expect(canSeeJourney(who, course(), 'open-public', none)).toBe(true);
    expect(canEnrol(who, course(), 'open-public', none)).toBe(isOpen);
  });
  it('are named by a token, or all open', () => {
    const named = { a: [], b: ['reduced'], c: ['none'], d: ['unheard-of'] };
    expect(openCourseSlugs(token({ courses: named }))).toEqual(['a', 'b']);
    expect([openCourseSlugs(token({ communities: {} })), openCourseSlugs(learner)]).toEqual([null, null]);
  });
});
