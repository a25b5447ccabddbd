import { listConnections } from '@officium/contract/account';
import { listActivities, listCommunities, listMembers } from '@officium/contract/community';
import { listCatalogue } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { readMyLearning } from '@officium/contract/learner';
import type { Locale } from '@officium/i18n/locales';
import type { Attempt } from '../../api.ts';
import type { Viewer } from '../../door.ts';
import { isPublicServant } from '../../public-servant.ts';
import type { PollData } from '../../ui/poll.tsx';
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

/** Somebody who asks to be connected with the reader. */
export type Request = { peerId: string; name: string; thumbnail: string | null; about: string; askedAt: string };
/** People who ask to join a community of the reader's. */
export type Joiners = { community: Place; count: number };
export type Due = { title: string; course: Place; on: string };

export type Changed = { course: Place; journey: string; changes: NonNullable<Journey['changes']> };

/** What somebody signed in finds on the front page. */
export type Today = {
  requests: Request[];
  joiners: Joiners[];
  /** Ends of places in journeys and days to finish them, soonest first, without that of `next`. */
  due: Due[];
  /** Journeys the reader finished that changed since, the one they were last active in first. */
  changed: Changed[];
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
    due: string | null;
  } | null;
  /** To choose from, when there is nothing to go on with. */
  courses: Front['courses'];
  posts: NewPost[];
  poll: { id: string; title: string | null; lang: string; data: PollData; community: Place } | null;
  /** To join, for those who belong to none. */
  communities: Front['communities'];
  isMember: boolean;
};

/** Communities whose newest posts are looked at, posts looked at in each, and shown of all. */
const COMMUNITIES = 8;
const LOOKED_AT = '10';
const POSTS = 6;
const REQUESTS = '5';
const DUE = 4;
const CHANGED = 3;

/** Asks for all of it at once. A part that does not answer is left out, and the page stands. */
export async function readToday(attempt: Attempt, locale: Locale, reader: Viewer): Promise<Today> {
  const [learning, communities, connections] = await Promise.all([
    attempt(readMyLearning, { query: { locale } }),
    attempt(listCommunities, { query: { locale } }),
    attempt(listConnections, { params: { id: 'me' }, query: { status: 'pending', limit: REQUESTS } }),
  ]);
  const journeys = learning.ok ? learning.body.journeys.filter(({ completedAt }) => !completedAt) : [];
  const journey = journeys.find(({ nextLesson }) => nextLesson);
  const all = communities.ok ? communities.body.communities : [];
  const mine = all.filter(({ membership }) => membership?.status === 'active');
  const [posts, joiners, catalogue] = await Promise.all([
    readNewest(attempt, mine.slice(0, COMMUNITIES), locale),
    readJoiners(
      attempt,
      mine.filter(({ membership, privacy }) => membership?.role === 'owner' && isClosed(privacy)),
    ),
    journey ? undefined : attempt(listCatalogue, { query: { locale } }),
  ]);
  return {
    next: journey ? toNext(journey) : null,
    courses: catalogue?.ok ? catalogue.body.courses.slice(0, 3).map(toCourse) : [],
    posts: posts
      .filter(({ actor }) => actor.id !== reader.id)
      .slice(0, POSTS)
      .map(toNewPost),
    poll: toPoll(posts),
    communities: mine.length ? [] : liveliest(all, 3).map(toCommunity),
    isMember: mine.length > 0,
    requests: connections.ok ? connections.body.connections.filter(isIncoming).map(toRequest) : [],
    joiners,
    due: dueOf(journeys.filter((one) => one !== journey)),
    mayAnalyseJob: isPublicServant(reader),
    changed: learning.ok ? changedOf(learning.body.journeys) : [],
  };
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

type Ending = Pick<Journey, 'expiresOn' | 'dueOn'>;

/** The end of a place or the day a cohort set, whichever is sooner; a day lasts until its end. */
function endOf({ expiresOn, dueOn }: Ending): string | null {
  const ends = [expiresOn, dueOn && `${dueOn}T23:59:59.999Z`].filter((end) => end !== null);
  return ends.sort()[0] ?? null;
}

/** Places that end or are due, soonest first. */
export function dueOf(journeys: (Pick<Journey, 'status' | 'title' | 'course'> & Ending)[]): Due[] {
  return journeys
    .flatMap(({ status, title, course, ...ending }) => {
      const on = endOf(ending);
      return status === 'enrolled' && on ? [{ title, course, on }] : [];
    })
    .sort((one, other) => (one.on < other.on ? -1 : 1))
    .slice(0, DUE);
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

function toNext({ course, title, journeySlug, progress, minutesLeft, nextLesson, ...ending }: Journey): Today['next'] {
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
    due: endOf(ending),
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
    community: community ?? { slug: '', title: '' }, // what a community's feed lists is in that community
  };
}

/** The newest poll that is still open and not yet answered. */
function toPoll(activities: Activity[]): Today['poll'] {
  for (const { id, title, locale, community, poll } of activities) {
    if (poll && community && !poll.closed && poll.ownVotes.length === 0)
      return { id, title, lang: locale, data: poll, community };
  }
  return null;
}
