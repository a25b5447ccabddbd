import { randomUUID } from 'node:crypto';
import type { Sending } from './http.ts';
import { CATEGORIES, type Person, type World } from './world.ts';

/** What one write does, how it is found again, and how its own session sees it at once. */
export type Plan = {
  kind: string;
  mark: string;
  person: Person;
  sending: Omit<Sending, 'cookie' | 'key'>;
  /** What the session asks right after the acknowledgement, and whether the answer shows the write. */
  look: (acknowledged: string) => { path: string; shows: (text: string) => boolean };
};

export const inCommunity = (slug: string) => `/api/community/communities/${slug}`;

/** The lists below give each combination once; `undefined` when all were given. */
type Next = () => Plan | undefined;

// Of a JSON answer of an operation whose shape is known.
const read = (text: string): any => (text === '' ? undefined : JSON.parse(text));

function newPosts({ forum, people }: World): Next {
  let made = 0;
  return () => {
    const title = randomUUID();
    const categories = [CATEGORIES[made % CATEGORIES.length]!]; // within the list
    return {
      kind: 'post',
      mark: `post ${title}`,
      person: people[made++ % people.length]!, // within the list
      sending: {
        method: 'POST',
        path: `${inCommunity(forum)}/activities`,
        body: { title, body: 'What we learned from a case that took longer than it should have.', categories },
      },
      look: (acknowledged) => ({
        path: `${inCommunity(forum)}/activities/${read(acknowledged).id}`,
        shows: (text) => read(text).title === title,
      }),
    };
  };
}

function newReplies({ wall, people }: World): Next {
  let made = 0;
  return () => {
    const body = randomUUID();
    const post = wall.posts[Math.floor(Math.random() * wall.posts.length)]!; // within the list
    return {
      kind: 'reply',
      mark: `reply ${body}`,
      person: people[(made++ * 7) % people.length]!, // within the list
      sending: {
        method: 'POST',
        path: `${inCommunity(wall.slug)}/activities/${post}/reactions`,
        body: { kind: 'reply', body },
      },
      look: (acknowledged) => ({
        path: `${inCommunity(wall.slug)}/reactions/${read(acknowledged).id}`,
        shows: (text) => read(text).activityId === post,
      }),
    };
  };
}

/** Each person with each thing, once; neighbours in time are different people and different things. */
function pairs<Thing>(
  people: readonly Person[],
  things: readonly Thing[],
): () => { person: Person; thing: Thing } | undefined {
  let made = 0;
  return () => {
    if (made >= people.length * things.length) return undefined;
    const round = Math.floor(made / people.length);
    const at = made % people.length;
    made += 1;
    return { person: people[at]!, thing: things[(round + at) % things.length]! }; // both within their lists
  };
}

function newLikes({ wall, people }: World): Next {
  const next = pairs(people, wall.posts);
  return () => {
    const pair = next();
    if (!pair) return undefined;
    const { person, thing: post } = pair;
    const activity = `${inCommunity(wall.slug)}/activities/${post}`;
    return {
      kind: 'like',
      mark: `like ${post} ${person.id}`,
      person,
      sending: { method: 'POST', path: `${activity}/reactions`, body: { kind: 'like' } },
      look: () => ({ path: activity, shows: (text) => read(text).own_reactions.like !== undefined }),
    };
  };
}

function newVotes({ polls, people }: World): Next {
  const next = pairs(people, polls.all);
  return () => {
    const pair = next();
    if (!pair) return undefined;
    const { person, thing: poll } = pair;
    const option = poll.options[Math.random() < 0.5 ? 0 : 1];
    return {
      kind: 'vote',
      mark: `vote ${option} ${person.id}`,
      person,
      sending: { method: 'POST', path: `/api/community/poll-options/${option}/votes`, body: {} },
      look: () => ({
        path: `/api/community/polls/${poll.id}`,
        shows: (text) => read(text).poll.ownVotes.some((vote: { optionId: string }) => vote.optionId === option),
      }),
    };
  };
}

function newCompletions({ course, people }: World): Next {
  const next = pairs(people, course.lessons);
  return () => {
    const pair = next();
    if (!pair) return undefined;
    const { person, thing: lesson } = pair;
    const journey = `/api/learner/me/courses/${course.slug}/journeys/${course.journey}`;
    return {
      kind: 'completion',
      mark: `completion ${lesson} ${person.id}`,
      person,
      sending: { method: 'PUT', path: `${journey}/lessons/${lesson}/completion` },
      look: () => ({
        path: '/api/learner/learners/me/lessons',
        shows: (text) => read(text).lessons.some((one: { lessonSlug: string }) => one.lessonSlug === lesson),
      }),
    };
  };
}

function newEnrolments({ open, people }: World): Next {
  const next = pairs(people, open.journeys);
  return () => {
    const pair = next();
    if (!pair) return undefined;
    const { person, thing: journeySlug } = pair;
    return {
      kind: 'enrolment',
      mark: `enrolment ${journeySlug} ${person.id}`,
      person,
      sending: {
        method: 'POST',
        path: '/api/learner/learners/me/journeys',
        body: { courseSlug: open.slug, journeySlug },
      },
      look: () => ({
        path: '/api/learner/learners/me/journeys',
        shows: (text) => read(text).journeys.some((one: { journeySlug: string }) => one.journeySlug === journeySlug),
      }),
    };
  };
}

function newArticles({ people }: World): Next {
  let made = 0;
  return () => {
    const title = `Article ${randomUUID()}`;
    return {
      kind: 'article',
      mark: `article ${title}`,
      person: people[(made++ * 3) % people.length]!, // within the list
      sending: {
        method: 'POST',
        path: '/api/content/articles',
        body: { title, subtitle: 'What an office wrote', body: 'What we learned from a case of last year.' },
      },
      look: (acknowledged) => ({
        path: `/api/content/articles/${read(acknowledged).slug}`,
        shows: (text) => read(text).title === title,
      }),
    };
  };
}

/** How often each kind of write comes among a hundred. */
const SHARES: [share: number, next: (world: World) => Next][] = [
  [25, newReplies],
  [25, newLikes],
  [16, newCompletions],
  [15, newPosts],
  [12, newVotes],
  [4, newEnrolments],
  [3, newArticles],
];

/** Writes as people make them, mixed; never two that do the same. */
export function mixOf(world: World): () => Plan {
  const kinds = SHARES.map(([share, next]) => ({ share, next: next(world) }));
  const spare = newReplies(world);
  return () => {
    let left = Math.random() * 100;
    for (const { share, next } of kinds) {
      left -= share;
      if (left < 0) return next() ?? spare()!; // replies never run out
    }
    return spare()!; // the same
  };
}

/** What people look at meanwhile. */
export function readOf(world: World): { person: Person; path: string } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!; // within the list
  const { forum, wall, course } = world;
  const post = pick(wall.posts);
  const path = pick([
    `${inCommunity(forum)}/activities`,
    `${inCommunity(wall.slug)}/activities/${post}`,
    `${inCommunity(wall.slug)}/activities/${post}/reactions`,
    `/api/learner/me/courses/${course.slug}/journeys`,
    `/api/content/articles`,
  ]);
  return { person: pick(world.people), path };
}
