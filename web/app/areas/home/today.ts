import { listActivities, listCommunities } from '@officium/contract/community';
import { listCatalogue } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { readMyLearning } from '@officium/contract/learner';
import type { Locale } from '@officium/i18n/locales';
import type { Attempt } from '../../api.ts';
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

/** What somebody signed in finds on the front page. */
export type Today = {
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

/** Asks for all of it at once. A part that does not answer is left out, and the page stands. */
export async function readToday(attempt: Attempt, locale: Locale): Promise<Today> {
  const [learning, communities] = await Promise.all([
    attempt(readMyLearning, { query: { locale } }),
    attempt(listCommunities, { query: { locale } }),
  ]);
  const journey = learning.ok
    ? learning.body.journeys.find(({ nextLesson, completedAt }) => nextLesson && !completedAt)
    : undefined;
  const all = communities.ok ? communities.body.communities : [];
  const mine = all.filter(({ membership }) => membership?.status === 'active');
  const [posts, catalogue] = await Promise.all([
    readNewest(attempt, mine.slice(0, COMMUNITIES), locale),
    journey ? undefined : attempt(listCatalogue, { query: { locale } }),
  ]);
  return {
    next: journey ? toNext(journey) : null,
    courses: catalogue?.ok ? catalogue.body.courses.slice(0, 3).map(toCourse) : [],
    posts: posts.slice(0, POSTS).map(toNewPost),
    poll: toPoll(posts),
    communities: mine.length ? [] : liveliest(all, 3).map(toCommunity),
    isMember: mine.length > 0,
  };
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

function toNext({ course, title, journeySlug, progress, minutesLeft, nextLesson, expiresOn }: Journey): Today['next'] {
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
    due: expiresOn,
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
