import { randomUUID } from 'node:crypto';
import type { Sending } from './http.ts';
import { CATEGORIES, type Person, type Fixture } from './fixture.ts';

/** One write: its effect, its mark, and how its own session verifies it. */
export type Plan = {
  kind: string;
  mark: string;
  person: Person;
  sending: Omit<Sending, 'cookie' | 'key'>;
  /** The request to send after the acknowledgement, and whether its response shows the write. */
  verify: (acknowledged: string) => { path: string; shows: (text: string) => boolean };
};

export const inCommunity = (slug: string) => `/api/community/communities/${slug}`;

/** Each list below yields every combination once, then `undefined`. */
type Next = () => Plan | undefined;

// A JSON response of an operation with a known shape.
const read = (text: string): any => (text === '' ? undefined : JSON.parse(text));

function newPosts({ forum, people }: Fixture): Next {
  let made = 0;
  return () => {
    const title = randomUUID();
    const categories = [CATEGORIES[made % CATEGORIES.length]!]; // index within the list
    return {
      kind: 'post',
      mark: `post ${title}`,
      person: people[made++ % people.length]!, // index within the list
      sending: {
        method: 'POST',
        path: `${inCommunity(forum)}/activities`,
        body: { title, body: 'What we learned from a case that took longer than it should have.', categories },
      },
      verify: (acknowledged) => ({
        path: `${inCommunity(forum)}/activities/${read(acknowledged).id}`,
        shows: (text) => read(text).title === title,
      }),
    };
  };
}

function newReplies({ wall, people }: Fixture): Next {
  let made = 0;
  return () => {
    const body = randomUUID();
    const post = wall.posts[Math.floor(Math.random() * wall.posts.length)]!; // index within the list
    return {
      kind: 'reply',
      mark: `reply ${body}`,
      person: people[(made++ * 7) % people.length]!, // index within the list
      sending: {
        method: 'POST',
        path: `${inCommunity(wall.slug)}/activities/${post}/reactions`,
        body: { kind: 'reply', body },
      },
      verify: (acknowledged) => ({
        path: `${inCommunity(wall.slug)}/reactions/${read(acknowledged).id}`,
        shows: (text) => read(text).activityId === post,
      }),
    };
  };
}

/** Every person with every target, once. Consecutive pairs share neither person nor target. */
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

function newLikes({ wall, people }: Fixture): Next {
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
      verify: () => ({ path: activity, shows: (text) => read(text).own_reactions.like !== undefined }),
    };
  };
}

function newVotes({ polls, people }: Fixture): Next {
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
      verify: () => ({
        path: `/api/community/polls/${poll.id}`,
        shows: (text) => read(text).poll.ownVotes.some((vote: { optionId: string }) => vote.optionId === option),
      }),
    };
  };
}

function newCompletions({ course, people }: Fixture): Next {
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
      verify: () => ({
        path: '/api/learner/learners/me/lessons',
        shows: (text) => read(text).lessons.some((one: { lessonSlug: string }) => one.lessonSlug === lesson),
      }),
    };
  };
}

function newEnrolments({ open, people }: Fixture): Next {
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
      verify: () => ({
        path: '/api/learner/learners/me/journeys',
        shows: (text) => read(text).journeys.some((one: { journeySlug: string }) => one.journeySlug === journeySlug),
      }),
    };
  };
}

function newArticles({ people }: Fixture): Next {
  let made = 0;
  return () => {
    const title = `Article ${randomUUID()}`;
    return {
      kind: 'article',
      mark: `article ${title}`,
      person: people[(made++ * 3) % people.length]!, // index within the list
      sending: {
        method: 'POST',
        path: '/api/content/articles',
        body: { title, subtitle: 'What an office wrote', body: 'What we learned from a case of last year.' },
      },
      verify: (acknowledged) => ({
        path: `/api/content/articles/${read(acknowledged).slug}`,
        shows: (text) => read(text).title === title,
      }),
    };
  };
}

/** The percentage of each kind of write. */
const SHARES: [share: number, next: (fixture: Fixture) => Next][] = [
  [25, newReplies],
  [25, newLikes],
  [16, newCompletions],
  [15, newPosts],
  [12, newVotes],
  [4, newEnrolments],
  [3, newArticles],
];

/** A realistic mix of writes, none of which repeats another. */
export function planWrites(fixture: Fixture): () => Plan {
  const kinds = SHARES.map(([share, next]) => ({ share, next: next(fixture) }));
  const spare = newReplies(fixture);
  return () => {
    let left = Math.random() * 100;
    for (const { share, next } of kinds) {
      left -= share;
      if (left < 0) return next() ?? spare()!; // replies never run out
    }
    return spare()!; // likewise
  };
}

/** A random page that people read meanwhile. */
export function randomRead(fixture: Fixture): { person: Person; path: string } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!; // index within the list
  const { forum, wall, course } = fixture;
  const post = pick(wall.posts);
  const path = pick([
    `${inCommunity(forum)}/activities`,
    `${inCommunity(wall.slug)}/activities/${post}`,
    `${inCommunity(wall.slug)}/activities/${post}/reactions`,
    `/api/learner/me/courses/${course.slug}/journeys`,
    `/api/content/articles`,
  ]);
  return { person: pick(fixture.people), path };
}
