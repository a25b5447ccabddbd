import type { Case } from './cases.ts';
import { LESSONS } from './seed-course.ts';
import type { Things } from './seed.ts';

export const COURSES = 50;

/** Writes: each request changes a row until none is left to change. `cookies` are the users'. */
export function writeCases({ communitySlug, postIds: [, ...postIds], optionIds }: Things, cookies: string[]): Case[] {
  const community = `/api/community/communities/${communitySlug}`;
  const people = cookies.length;
  const headersOf = (person: number) => ({
    cookie: cookies[person % people] ?? '',
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  });
  const target = { limit: 'I', ratio: 0.5 } as const;
  const react = (n: number, body: object) => ({
    method: 'POST' as const,
    path: `${community}/activities/${postIds[n % postIds.length]}/reactions`,
    headers: headersOf((n % postIds.length) + Math.floor(n / postIds.length)), // each user once per post
    body: JSON.stringify(body),
  });
  return [
    {
      name: 'post',
      target,
      request: (n) => ({
        method: 'POST',
        path: `${community}/activities`,
        headers: headersOf(n),
        body: JSON.stringify({
          title: `A question, the ${n}.`,
          body: 'Who has done this before, and how did it go? '.repeat(5),
        }),
      }),
    },
    {
      name: 'reply',
      target,
      request: (n) => react(n, { kind: 'reply', body: 'We had the same. It helped to ask first.' }),
    },
    { name: 'like', target, request: (n) => react(n, { kind: 'like' }) },
    {
      name: 'vote',
      target,
      request: (n) => ({
        method: 'POST',
        path: `/api/community/poll-options/${optionIds[n % optionIds.length]}/votes`,
        headers: headersOf(10 + (Math.floor(n / optionIds.length) % (people - 10))), // the first ten have voted
        body: '{}',
      }),
    },
    {
      name: 'lesson completion with progress',
      target,
      request: (n) => {
        const [person, lesson] = [n % people, Math.floor(n / people)];
        const course = Math.floor(lesson / LESSONS) % COURSES;
        return {
          method: 'PUT',
          path: `/api/learner/me/courses/bench-${1 + course}/journeys/main/lessons/lesson-${1 + (lesson % LESSONS)}/completion`,
          headers: headersOf(person),
          body: '{}',
        };
      },
    },
  ];
}
