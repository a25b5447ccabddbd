import * as admin from '@officium/contract/admin';
import * as auth from '@officium/contract/auth';
import { checkAutoApproval } from '@officium/contract/approval-review';
import { comparePiece } from '@officium/contract/authoring';
import * as community from '@officium/contract/community';
import { isStream, type Endpoint } from '@officium/contract/endpoint';
import { listAppeals } from '@officium/contract/decisions';
import { listModerationLog } from '@officium/contract/moderation-office';
import { listReports } from '@officium/contract/moderation';
import * as people from '@officium/contract/people';
import { previewProductAccess } from '@officium/contract/product-access';
import { ENDPOINTS } from '@officium/contract/services';
import { search } from '@officium/contract/search';
import { readPayloadTranslation, translatePayload } from '@officium/contract/translation';
import type { As, Sent, TestApp } from '../app.ts';
import { type Caller, NO_SLUG } from './planting.ts';
import type { World } from './world.ts';

/** Beside GET: what answers without changing anything. */
const READING: Endpoint[] = [people.searchUsers, translatePayload];

/** GETs that are no reading: what they name is used up. */
const USING_UP: Endpoint[] = [auth.exchangeToken];

export const READ: readonly Endpoint[] = ENDPOINTS.filter(
  (endpoint) =>
    (endpoint.method === 'GET' && !USING_UP.includes(endpoint) && !isStream(endpoint)) || READING.includes(endpoint),
);

type Asked = Pick<Sent, 'query' | 'body'>;

/** Everything that is planted, so many words in a search as fit. */
function wordsOf({ secrets }: World): string[] {
  const words = secrets.map(({ text }) => text).filter((text) => /^\w+$/.test(text));
  return Array.from({ length: Math.ceil(words.length / 5) }, (_, nth) =>
    words.slice(nth * 5, nth * 5 + 5).join(' or '),
  );
}

/** What an operation is asked beyond its path; once without anything when it is not here. */
function askedOf(endpoint: Endpoint, world: World): Asked[] {
  const { victim } = world.people;
  const byName = new Map<Endpoint, Asked[]>([
    [community.listActivities, community.RANKINGS.map((ranking) => ({ query: { ranking } }))],
    [community.listActivityReactions, ['reply', 'like', 'pin'].map((kind) => ({ query: { kind } }))],
    [community.listChildReactions, ['reply', 'like'].map((kind) => ({ query: { kind } }))],
    [admin.listProducts, ['course', 'communityPage'].map((contentType) => ({ query: { contentType, match: '' } }))],
    [checkAutoApproval, [{ query: { type: 'domain', value: 'example.org' } }]],
    [previewProductAccess, [{ query: { can_view: 'public', can_join: 'private' } }]],
    [listAppeals, ['plaza', world.hidden.slug].map((slug) => ({ query: { community: slug } }))],
    [listModerationLog, ['plaza', world.hidden.slug].map((slug) => ({ query: { community: slug } }))],
    [listReports, ['plaza', world.hidden.slug].map((slug) => ({ query: { community: slug } }))],
    [comparePiece, [{ query: { from: 'live' } }]],
    [people.readRegistration, [{ query: { email: victim.email } }]],
    [people.searchUsers, ['', 'vera', 'victim'].map((match) => ({ body: { match } }))],
    [search, wordsOf(world).flatMap((q) => [{ query: { q } }, { query: { q, group: 'posts', limit: 50 } }])],
    [
      readPayloadTranslation,
      ['activity_payload', 'reaction_payload'].map((payloadType) => ({ query: { payloadType } })),
    ],
    [translatePayload, ['activity_payload', 'reaction_payload'].map((payloadType) => ({ body: { payloadType } }))],
  ]);
  return byName.get(endpoint) ?? [{}];
}

/** Places through which things of other places are looked for as well. */
const DOORS = ['plaza', NO_SLUG];

/** Whether what a path names has one home and, if the path names a home, that or one of the doors. */
function belongsTogether(params: Record<string, string>, { homes }: World): boolean {
  const values = Object.values(params);
  const [first, ...others] = values.flatMap((value) => homes.get(value) ?? []);
  const everyHome = new Set([...homes.values()].flat());
  const named = values.find((value) => everyHome.has(value) || DOORS.includes(value));
  if (first === undefined || named === undefined) return true;
  return others.every((home) => home === first) && [first, ...DOORS].includes(named);
}

/** Every way to fill the places of a path with what there is. */
function placesOf(endpoint: Endpoint, world: World): Record<string, string>[] {
  let filled: Record<string, string>[] = [{}];
  for (const [, word = '', name = ''] of endpoint.path.matchAll(/([^/{}]+)\/\{(\w+)\}/g)) {
    const values = world.names[`${word}/${name}`];
    if (!values)
      throw new Error(`The world of this test has nothing to stand at ${word}/{${name}} of ${endpoint.name}`);
    filled = filled.flatMap((params) => values.map((value) => ({ ...params, [name]: String(value) })));
  }
  return filled.filter((params) => belongsTogether(params, world));
}

/** One answer, whole: what was asked, its status, its headers and its text. */
export type Seen = { operation: string; asked: string; status: number; headers: string; text: string };

/** Change by being read, or by themselves: in the last the size of the database and who is connected to it. */
export const RECORDS_READING = ['listAuditLog', 'listSessions', 'readSystem'];

/** Headers and fields that differ from one request to the next. */
const OF_THE_REQUEST = ['date', 'x-request-id', 'content-security-policy', 'connection', 'keep-alive'];

/** Asks every reading operation for everything there is in the world. */
export async function walk(test: TestApp, world: World, caller: Caller): Promise<Seen[]> {
  const as: As = caller === 'anonymous' ? {} : world.people[caller].as;
  const seen: Seen[] = [];
  for (const endpoint of READ)
    for (const params of placesOf(endpoint, world))
      for (const asked of askedOf(endpoint, world)) {
        const { status, headers, body } = await test.call(endpoint, as, { params, ...asked });
        const shown = Object.entries(headers).filter(([name]) => !OF_THE_REQUEST.includes(name));
        seen.push({
          operation: endpoint.name,
          asked: JSON.stringify({ ...params, ...asked }),
          status,
          headers: JSON.stringify(shown),
          text: JSON.stringify(body, (key, value: unknown) => (key === 'requestId' ? undefined : value)) ?? '',
        });
      }
  return seen;
}
