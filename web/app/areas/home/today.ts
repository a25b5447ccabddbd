import { listConnections } from '@officium/contract/account';
import { listActivities, listCommunities, listMembers } from '@officium/contract/community';
import { listCatalogue } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { type EventCard, listEvents } from '@officium/contract/events';
import { type Follow, listFollows } from '@officium/contract/follows';
import { listMyAssignments, readMyLearning } from '@officium/contract/learner';
import { readMyRegistration } from '@officium/contract/people';
import type { Locale } from '@officium/i18n/locales';
import type { Attempt } from '../../server/api.ts';
import type { Viewer } from '../../server/page-context.ts';
import { isPublicServant } from '../../public-servant.ts';
import { daysLate, withLateness } from '../../days-late.ts';
import type { Assigned } from '../../ui/assignments.tsx';
import type { DueProps } from '../../ui/due.tsx';
import type { Validity } from '../../ui/validity.tsx';
import type { PollData } from '../../ui/poll.tsx';
import { withoutFewVotes } from '../../ui/poll-few.ts';
import { liveliest, toCommunity, toCourse, type Front } from './front.ts';

type Journey = ReplyOf<typeof readMyLearning>['journeys'][number];
type Activity = ReplyOf<typeof listActivities>['results'][number];
type Place = { slug: string; title: string };

export type NewPost = {
  id: string;
  title: string | null;
  lang: string;
  author: string;
  createdAt: string;
  replies: number;
  isPoll: boolean;
  community: Place;
};

/** A pending request to connect with the viewer. */
export type Request = { peerId: string; name: string; thumbnail: string | null; about: string; askedAt: string };
/** Pending requests to join a community the viewer owns. */
export type Joiners = { community: Place; count: number };
/** The end of an enrolment, the day a cohort wants the journey completed, or by when its certificate is to be renewed. */
export type Ending = { endsAt: string } | DueProps | { validity: Validity };
export type Due = { title: string; course: Place; ending: Ending };

export type Changed = { course: Place; journey: string; changes: NonNullable<Journey['changes']> };

/** The viewer's registration, while it waits or when it was refused. */
export type OwnRegistration = { isRefused: boolean; reason: string | null };

/** Data of the signed-in front page. */
export type Today = {
  registration: OwnRegistration | null;
  requests: Request[];
  joiners: Joiners[];
  /** Assignments that the viewer has not begun, the earliest due date first. */
  assigned: Assigned[];
  /** Ends and due dates of enrolments, soonest first, except that of `next`. */
  due: Due[];
  /** Finished journeys that changed since, most recently active first. */
  changed: Changed[];
  /** The next events the viewer may see. */
  events: EventCard[];
  mayAnalyseJob: boolean;
  next: {
    course: Place;
    journey: string;
    cover: string | null;
    to: string;
    lesson: { title: string; minutes: number };
    minutesLeft: number;
    done: number;
    of: number;
    ending: Ending | null;
  } | null;
  /** Suggestions when there is nothing to continue. */
  courses: Front['courses'];
  posts: NewPost[];
  poll: { id: string; title: string | null; lang: string; data: PollData; community: Place } | null;
  /** Suggestions for viewers without a community. */
  communities: Front['communities'];
  isMember: boolean;
};

/** Communities to read posts from, posts read in each, and posts shown. */
const COMMUNITIES = 8;
const LOOKED_AT = '10';
const POSTS = 6;
const REQUESTS = '5';
const ASSIGNED = 5;
const DUE = 4;
const CHANGED = 3;
const EVENTS = '3';

/** Loads everything in parallel. A part that fails is left out. */
export async function readToday(attempt: Attempt, locale: Locale, viewer: Viewer): Promise<Today> {
  const [learning, assigned, communities, connections, followed, events, registration] = await Promise.all([
    attempt(readMyLearning, { query: { locale } }),
    attempt(listMyAssignments, { query: { locale } }),
    attempt(listCommunities, { query: { locale } }),
    attempt(listConnections, { params: { id: 'me' }, query: { status: 'pending', limit: REQUESTS } }),
    attempt(listFollows),
    attempt(listEvents, { query: { locale, limit: EVENTS } }),
    // Others need no approval.
    viewer.role === 'non-public-servant' ? attempt(readMyRegistration) : null,
  ]);
  const now = new Date();
  const journeys = learning.ok ? learning.body.journeys.filter(isOpen) : [];
  const journey = journeys.find(
    ({ completedAt, validity, nextLesson }) => nextLesson && (!completedAt || isBegun(validity)),
  );
  const all = communities.ok ? communities.body.communities : [];
  const muted = mutedOf(followed.ok ? followed.body.follows : []);
  const mine = all.filter(({ membership }) => membership?.status === 'active');
  const [posts, joiners, catalogue] = await Promise.all([
    readNewest(attempt, mine.filter(({ slug }) => !muted.has(`community ${slug}`)).slice(0, COMMUNITIES), locale),
    readJoiners(
      attempt,
      mine.filter(({ membership, privacy }) => membership?.role === 'owner' && isClosed(privacy)),
    ),
    journey ? undefined : attempt(listCatalogue, { query: { locale } }),
  ]);
  return {
    registration: registration?.ok ? toOwnRegistration(registration.body) : null,
    next: journey ? toNext(journey, now) : null,
    assigned: assigned.ok ? assigned.body.assignments.slice(0, ASSIGNED).map((one) => withLateness(one, now)) : [],
    courses: catalogue?.ok ? catalogue.body.courses.slice(0, 3).map(toCourse) : [],
    posts: posts
      .filter(
        ({ actor, id }) => actor.id !== viewer.id && !muted.has(`thread ${id}`) && !muted.has(`person ${actor.id}`),
      )
      .slice(0, POSTS)
      .map(toNewPost),
    poll: toPoll(posts),
    communities: mine.length ? [] : liveliest(all, 3).map(toCommunity),
    isMember: mine.length > 0,
    requests: connections.ok ? connections.body.connections.filter(isIncoming).map(toRequest) : [],
    joiners,
    due: dueOf(
      journeys.filter((one) => one !== journey),
      now,
    ),
    mayAnalyseJob: isPublicServant(viewer),
    changed: learning.ok ? changedOf(learning.body.journeys) : [],
    events: events.ok ? events.body.events : [],
  };
}

function toOwnRegistration({ status, reason }: ReplyOf<typeof readMyRegistration>): OwnRegistration | null {
  return status === 'pending' || status === 'refused' ? { isRefused: status === 'refused', reason } : null;
}

/** The things that the viewer has muted, each as its kind and id. */
function mutedOf(follows: readonly Follow[]): ReadonlySet<string> {
  return new Set(follows.filter(({ level }) => level === 'muted').map(({ kind, id }) => `${kind} ${id}`));
}

type Connection = ReplyOf<typeof listConnections>['connections'][number];

function isIncoming({ direction }: Connection): boolean {
  return direction === 'incoming';
}

function toRequest({ peerId, peer, updatedAt }: Connection): Request {
  const about = [peer.jobTitle, peer.organization].filter(Boolean).join(', ');
  return { peerId, name: peer.name, thumbnail: peer.thumbnail, about, askedAt: updatedAt };
}

function isClosed(privacy: string): boolean {
  return privacy.startsWith('closed-');
}

async function readJoiners(attempt: Attempt, communities: Place[]): Promise<Joiners[]> {
  const waiting = await Promise.all(
    communities
      .slice(0, COMMUNITIES)
      .map(({ slug }) => attempt(listMembers, { params: { slug }, query: { status: 'pending', count: '1' } })),
  );
  return waiting.flatMap((found, index) => {
    const community = communities[index];
    if (!community || !found.ok || found.body.total === 0) return [];
    return [{ community: { slug: community.slug, title: community.title }, count: found.body.total }];
  });
}

type Ends = Pick<Journey, 'expiresOn' | 'dueOn' | 'validity'>;

const isBegun = (validity: Validity | null) => validity?.renewal === 'begun';

/** The day by which to renew a certificate that a cohort asks for, or whose renewal has begun. */
function renewBy(validity: Validity | null): string | null {
  const isAsked = isBegun(validity) || (validity?.isRequired && validity.renewal === 'open');
  return isAsked ? (validity?.expiresAt ?? null) : null;
}

/** A journey that is not completed, or whose certificate is to be renewed. */
function isOpen({ completedAt, validity }: Journey): boolean {
  return !completedAt || renewBy(validity) !== null;
}

/**
 * The time of the end or the due date, whichever is sooner; a due date lasts until the end of its day. A renewal counts
 * instead of the due date, which was for the first time.
 */
const endOf = ({ expiresOn, dueOn, validity }: Ends): string | null =>
  [expiresOn, validity ? renewBy(validity) : dueOn && `${dueOn}T23:59:59.999Z`]
    .filter((end) => end !== null)
    .sort()[0] ?? null;

function endingOf(ends: Ends, now: Date): Ending | null {
  const end = endOf(ends);
  const { dueOn, validity } = ends;
  if (end === null) return null;
  if (validity && end !== ends.expiresOn) return { validity };
  return end === ends.expiresOn || dueOn === null ? { endsAt: end } : { dueOn, daysLate: daysLate(dueOn, now) };
}

/** Enrolments that end or are due, soonest first. */
export function dueOf(journeys: (Pick<Journey, 'status' | 'title' | 'course'> & Ends)[], now: Date): Due[] {
  return journeys
    .filter(({ status }) => status === 'enrolled')
    .flatMap((journey) => {
      const [end, ending] = [endOf(journey), endingOf(journey, now)];
      return end && ending ? [{ end, due: { title: journey.title, course: journey.course, ending } }] : [];
    })
    .sort((one, other) => (one.end < other.end ? -1 : 1))
    .slice(0, DUE)
    .map(({ due }) => due);
}

function changedOf(journeys: Journey[]): Changed[] {
  return journeys
    .flatMap(({ course, journeySlug, changes }) => (changes ? [{ course, journey: journeySlug, changes }] : []))
    .slice(0, CHANGED);
}

/** The newest posts of several communities, newest first. */
async function readNewest(attempt: Attempt, communities: Place[], locale: Locale): Promise<Activity[]> {
  const feeds = await Promise.all(
    communities.map(({ slug }) =>
      attempt(listActivities, {
        params: { slug },
        query: { locale, limit: LOOKED_AT, ranking: 'recent_with_pin' },
      }),
    ),
  );
  return feeds
    .flatMap((feed) => (feed.ok ? feed.body.results : []))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

function toNext(journey: Journey, now: Date): Today['next'] {
  const { course, title, journeySlug, progress, minutesLeft, nextLesson } = journey;
  if (!nextLesson) return null;
  return {
    course,
    journey: title,
    cover: course.cover?.url ?? null,
    to: `/courses/${course.slug}/${journeySlug}/${nextLesson.slug}`,
    lesson: { title: nextLesson.title, minutes: nextLesson.minutes },
    minutesLeft,
    done: progress.completedLessons,
    of: progress.mandatoryLessons,
    ending: endingOf(journey, now),
  };
}

function toNewPost({ id, title, locale, actor, createdAt, reaction_counts, verb, community }: Activity): NewPost {
  return {
    id,
    title,
    lang: locale,
    author: actor.name,
    createdAt,
    replies: reaction_counts.reply,
    isPoll: verb === 'poll',
    community: community ?? { slug: '', title: '' }, // a community's feed lists only its own posts
  };
}

/** The newest open poll that the viewer has not answered. */
function toPoll(activities: Activity[]): Today['poll'] {
  for (const { id, title, locale, community, poll } of activities) {
    if (poll && community && !poll.closed && poll.ownVotes.length === 0)
      return { id, title, lang: locale, data: withoutFewVotes(poll), community };
  }
  return null;
}
