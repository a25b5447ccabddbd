import * as admin from '@officium/contract/admin';
import * as auth from '@officium/contract/auth';
import { checkAutoApproval } from '@officium/contract/approval-review';
import { comparePiece } from '@officium/contract/authoring';
import * as community from '@officium/contract/community';
import { isStream, type Endpoint } from '@officium/contract/endpoint';
import { listAppeals } from '@officium/contract/decisions';
import { listLessonShares, listSharedDiscussions } from '@officium/contract/lesson-shares';
import { listModerationLog } from '@officium/contract/moderation-office';
import { listReports } from '@officium/contract/moderation';
import * as people from '@officium/contract/people';
import { previewProductAccess } from '@officium/contract/product-access';
import { exportQuestions } from '@officium/contract/question-files';
import { findRolePlaces } from '@officium/contract/roles';
import { ENDPOINTS } from '@officium/contract/services';
import { findMovedPage, search } from '@officium/contract/search';
import { readPayloadTranslation, translatePayload } from '@officium/contract/translation';
import type { As, Sent, TestApp } from '../app.ts';
import { type Caller, NO_SLUG } from './planting.ts';
import { type Fixture, formerPath } from './fixture.ts';

/** Operations other than GET that only read. */
const READING: Endpoint[] = [people.searchUsers, translatePayload];

/** GETs that consume something. */
const USING_UP: Endpoint[] = [auth.exchangeToken];

export const READ: readonly Endpoint[] = ENDPOINTS.filter(
  (endpoint) =>
    (endpoint.method === 'GET' && !USING_UP.includes(endpoint) && !isStream(endpoint)) || READING.includes(endpoint),
);

type Input = Pick<Sent, 'query' | 'body'>;

/** All planted words, as search queries of the maximum length. */
function wordsOf({ secrets }: Fixture): string[] {
  const words = secrets.map(({ text }) => text).filter((text) => /^\w+$/.test(text));
  return Array.from({ length: Math.ceil(words.length / 5) }, (_, nth) =>
    words.slice(nth * 5, nth * 5 + 5).join(' or '),
  );
}

/** Former paths of an open and a hidden page of each kind, and a path that never existed. */
const formerPaths = ({ hidden, closed }: Fixture) => [
  formerPath('hubs', 'open'),
  formerPath('communities', 'plaza'),
  formerPath('communities', hidden.slug),
  formerPath('courses', 'for-all'),
  formerPath('courses', closed.slug),
  NO_SLUG,
];

const moderatedPlaces = ({ hidden, closed }: Fixture): Input[] => [
  ...['plaza', hidden.slug].map((community) => ({ query: { community } })),
  { query: { course: closed.courseSlug } },
];

/** Queries and bodies for an operation; operations that are not listed run once without any. */
function inputsOf(endpoint: Endpoint, fixture: Fixture): Input[] {
  const { victim } = fixture.people;
  const byName = new Map<Endpoint, Input[]>([
    [community.listActivities, community.RANKINGS.map((ranking) => ({ query: { ranking } }))],
    [community.listActivityReactions, ['reply', 'like', 'pin'].map((kind) => ({ query: { kind } }))],
    [community.listChildReactions, ['reply', 'like'].map((kind) => ({ query: { kind } }))],
    [admin.listProducts, ['course', 'communityPage'].map((contentType) => ({ query: { contentType, match: '' } }))],
    [checkAutoApproval, [{ query: { type: 'domain', value: 'example.org' } }]],
    [previewProductAccess, [{ query: { can_view: 'public', can_join: 'private' } }]],
    [listAppeals, moderatedPlaces(fixture)],
    [listModerationLog, ['plaza', fixture.hidden.slug].map((slug) => ({ query: { community: slug } }))],
    [listReports, moderatedPlaces(fixture)],
    [findRolePlaces, ['report-reader', 'moderator'].map((role) => ({ query: { role } }))],
    [listSharedDiscussions, [{ query: { activities: fixture.sharedPosts.join(',') } }]],
    [listLessonShares, [{ query: { activities: fixture.closed.talk.activityId } }]],
    [comparePiece, [{ query: { from: 'live' } }]],
    [exportQuestions, [{ query: { format: 'gift' } }]],
    [findMovedPage, formerPaths(fixture).map((path) => ({ query: { path } }))],
    [people.readRegistration, [{ query: { email: victim.email } }]],
    [people.searchUsers, ['', 'vera', 'victim'].map((match) => ({ body: { match } }))],
    [
      search,
      wordsOf(fixture).flatMap((q) => [
        { query: { q } },
        { query: { q, group: 'posts', limit: 50 } },
        { query: { q, community: fixture.hidden.slug } },
        { query: { q, author: victim.id } },
      ]),
    ],
    [
      readPayloadTranslation,
      ['activity_payload', 'reaction_payload'].map((payloadType) => ({ query: { payloadType } })),
    ],
    [translatePayload, ['activity_payload', 'reaction_payload'].map((payloadType) => ({ body: { payloadType } }))],
  ]);
  return byName.get(endpoint) ?? [{}];
}

/** Communities that are combined with objects of other places too. */
const WRONG_PARENTS = ['plaza', NO_SLUG];

/** Whether all parameters share one home, and a named place is that home or one of the doors. */
function isConsistent(params: Record<string, string>, { homes }: Fixture): boolean {
  const values = Object.values(params);
  const [first, ...others] = values.flatMap((value) => homes.get(value) ?? []);
  const everyHome = new Set([...homes.values()].flat());
  const named = values.find((value) => everyHome.has(value) || WRONG_PARENTS.includes(value));
  if (first === undefined || named === undefined) return true;
  return others.every((home) => home === first) && [first, ...WRONG_PARENTS].includes(named);
}

/** Every combination of known values for the path parameters. */
function placesOf(endpoint: Endpoint, fixture: Fixture): Record<string, string>[] {
  let filled: Record<string, string>[] = [{}];
  for (const [, word = '', name = ''] of endpoint.path.matchAll(/([^/{}]+)\/\{(\w+)\}/g)) {
    const values = fixture.names[`${word}/${name}`];
    if (!values) throw new Error(`the fixture has no value for ${word}/{${name}} of ${endpoint.name}`);
    filled = filled.flatMap((params) => values.map((value) => ({ ...params, [name]: String(value) })));
  }
  return filled.filter((params) => isConsistent(params, fixture));
}

/** One complete response: operation, request, status, headers and text. */
export type Seen = { operation: string; input: string; status: number; headers: string; text: string };

/** Responses that change by being read or over time, such as the size of the database. */
export const RECORDS_READING = ['listAuditLog', 'listSessions', 'readSystem'];

/** Headers and fields that differ between requests. */
const OF_THE_REQUEST = ['date', 'x-request-id', 'content-security-policy', 'connection', 'keep-alive'];

/** Calls every reading operation for every object of the fixture. */
export async function walk(test: TestApp, fixture: Fixture, caller: Caller): Promise<Seen[]> {
  const as: As = caller === 'anonymous' ? {} : fixture.people[caller].as;
  const seen: Seen[] = [];
  for (const endpoint of READ)
    for (const params of placesOf(endpoint, fixture))
      for (const input of inputsOf(endpoint, fixture)) {
        const { status, headers, body } = await test.call(endpoint, as, { params, ...input });
        const shown = Object.entries(headers).filter(([name]) => !OF_THE_REQUEST.includes(name));
        seen.push({
          operation: endpoint.name,
          input: JSON.stringify({ ...params, ...input }),
          status,
          headers: JSON.stringify(shown),
          text: JSON.stringify(body, (key, value: unknown) => (key === 'requestId' ? undefined : value)) ?? '',
        });
      }
  return seen;
}
