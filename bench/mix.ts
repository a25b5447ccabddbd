import { Agent, request } from 'node:http';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import type { Machine, RequestSpec } from './measure.ts';
import { LESSONS } from './seed-course.ts';
import { findPlaces, type Place } from './seed-places.ts';

/** Sends requests of readers who are each in a place of their own. */
export type Sender = {
  kinds: string[];
  places: number;
  pathOf(kind: string, n: number): string;
  /** Undefined for pages without a session. */
  cookieOf(kind: string, n: number): string | undefined;
  /** Requests a page of the `n`th reader. */
  page(kind: string, n: number): Promise<void>;
  /** Sends the `n`th request of the mix: seven pages, two reads of the API, one write. */
  mixed(n: number): Promise<void>;
};

const BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'en' };

/** Paths of pages by kind, in the `n`th place. */
const KINDS: Record<string, (place: Place, n: number) => string> = {
  Today: () => '/',
  course: (_place, n) => `/courses/bench-${n + 1}`,
  lesson: (_place, n) => `/courses/bench-${n + 1}/main/lesson-${1 + (n % LESSONS)}`,
  community: ({ slug }) => `/communities/${slug}`,
  thread: ({ slug, threadId }) => `/communities/${slug}/activities/${threadId}`,
  search: (_place, n) => `/search?q=case+${n + 1}`,
};

/** A page without a session, which is not part of the mix. */
const VISITED: Record<string, (place: Place) => string> = {
  'community, signed out': ({ slug }) => `/communities/${slug}`,
};

const api = ({ slug }: Place) => `/api/community/communities/${slug}`;

const READS: ((place: Place, n: number) => string)[] = [
  (place) => `${api(place)}/activities`,
  (place) => `${api(place)}/activities/${place.threadId}`,
  () => '/api/notifications/inbox/count',
  (_place, n) => `/api/learner/courses/bench-${n + 1}/journeys/main/lessons/lesson-1`,
];

const WRITES: ((place: Place, n: number) => { path: string; body: object })[] = [
  (place) => ({
    path: `${api(place)}/activities/${place.threadId}/reactions`,
    body: { kind: 'reply', body: 'We had the same. It helped to ask first.' },
  }),
  (place, n) => ({
    path: `${api(place)}/activities`,
    body: { title: `A question, the ${n}.`, body: 'Who has done this before, and how did it go?' },
  }),
];

/** Signs everyone in, before the product answers them. */
export async function withReaders({ url, client }: Machine, databaseUrl: string): Promise<Sender> {
  const places = await findPlaces(client);
  const database = openDatabase(databaseUrl, { onError: () => {} });
  const cookies: string[] = [];
  for (const { readerId } of places) cookies.push(`session=${await openSession(database.db, { userId: readerId })}`);
  await database.close();
  const agent = new Agent({ keepAlive: true });
  const at = (n: number) => n % places.length;
  const placeOf = (n: number) => places[at(n)]!; // at() stays within the list
  const ownCookie = (n: number) => cookies[at(n)]!; // one for each place
  const cookieOf = (kind: string, n: number) => (kind in VISITED ? undefined : ownCookie(n));
  const pathOf = (kind: string, n: number) => ({ ...KINDS, ...VISITED })[kind]!(placeOf(n), at(n)); // kinds are the keys
  const inMix = Object.keys(KINDS);

  const send = ({ method = 'GET', path, headers, body }: RequestSpec) =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url + path, { method, headers, agent }, (answer) => {
        answer.on('end', () =>
          (answer.statusCode ?? 500) < 300 ? resolve() : reject(new Error(`${path} answered ${answer.statusCode}`)),
        );
        answer.resume();
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const page = (kind: string, n: number) => {
    const cookie = cookieOf(kind, n);
    return send({ path: pathOf(kind, n), headers: { ...(cookie && { cookie }), ...BROWSER } });
  };
  return {
    kinds: [...inMix, ...Object.keys(VISITED)],
    places: places.length,
    pathOf,
    cookieOf,
    page,
    async mixed(n) {
      const [turn, round] = [n % 10, Math.floor(n / 10)];
      if (turn < 7) return await page(inMix[(round * 7 + turn) % inMix.length]!, n); // within the list
      const [place, cookie] = [placeOf(n), ownCookie(n)];
      if (turn < 9)
        return await send({ path: READS[(round * 2 + turn) % READS.length]!(place, at(n)), headers: { cookie } });
      const { path, body } = WRITES[round % WRITES.length]!(place, n); // within the list
      const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      return await send({ method: 'POST', path, headers, body: JSON.stringify(body) });
    },
  };
}
