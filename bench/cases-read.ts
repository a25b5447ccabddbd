import type { Case } from './cases.ts';
import { LESSONS } from './seed-course.ts';
import type { Things } from './seed.ts';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Headers of a browser that requests a page. */
const BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'en' };

/** Reads: feeds, threads, lessons, pages, sessions. `cookie` is the signed-in viewer's. */
export function readCases({ communitySlug, postIds }: Things, cookie: string): Case[] {
  const community = `/api/community/communities/${communitySlug}`;
  const [threadId] = postIds;
  const thread = `${community}/activities/${threadId}`;
  const page = `/communities/${communitySlug}`;
  const counts = (results: number) => (text: string) => JSON.parse(text).results?.length === results;
  return [
    {
      name: 'feed, signed in, first page',
      target: { limit: 'R', ratio: 1 },
      request: () => ({ path: `${community}/activities`, headers: { cookie } }),
      isRight: counts(30),
    },
    {
      name: 'feed, anonymous, open community, first page',
      target: { limit: 'S', ratio: 0.5 },
      request: () => ({ path: `${community}/activities` }),
      isRight: counts(30),
    },
    {
      name: 'thread, signed in: the post and its 20 replies, two requests',
      target: { limit: 'R', ratio: 0.8 },
      steps: 2,
      request: (n) => ({
        path: n % 2 === 0 ? thread : `${thread}/reactions?kind=reply&id_gt=${FIRST_ID}&limit=25`,
        headers: { cookie },
      }),
      isRight: (text, n) => (n % 2 === 0 ? JSON.parse(text).id === threadId : counts(20)(text)),
    },
    {
      name: 'lesson read, enrolled',
      target: { limit: 'R', ratio: 0.8 },
      request: () => ({
        path: `/api/learner/courses/bench-1/journeys/main/lessons/lesson-${LESSONS / 2}`,
        headers: { cookie },
      }),
      isRight: (text) => JSON.parse(text).lesson?.html.length > 1000,
    },
    {
      name: 'feed page, HTML, signed in',
      target: { cpuMs: 10 },
      connections: 1, // measures the CPU of one page without contention
      request: () => ({ path: page, headers: { cookie, ...BROWSER } }),
      isRight: (text) => text.includes('What we learned'),
    },
    {
      name: 'thread page, HTML, signed in',
      target: { cpuMs: 10 },
      connections: 1, // measures the CPU of one page without contention
      request: () => ({ path: `${page}/activities/${threadId}`, headers: { cookie, ...BROWSER } }),
      isRight: (text) => text.includes('it helped to ask first'),
    },
    {
      name: 'session check',
      target: { cpuMs: 0.1 },
      request: () => ({ path: '/api/auth/session', headers: { cookie } }),
      isRight: (text) => JSON.parse(text).viewer?.name === 'Person 1',
    },
  ];
}
