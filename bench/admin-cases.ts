import { ENDPOINTS } from '../contract/services.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type pg from 'pg';

/** Ids for the path parameters, several per parameter, and values that queries and bodies refer to. */
export type Things = Record<
  | 'cohorts'
  | 'uploads'
  | 'drafts'
  | 'products'
  | 'auto-approvals'
  | 'users'
  | 'profiles'
  | 'bulk-enrolments'
  | 'user-communities'
  | 'people'
  | 'progress'
  | 'communities'
  | 'courses'
  | 'lessons'
  | 'administrators'
  | 'decisions'
  | 'emails',
  string[]
>;

/** One variant of a request; `n` is the request number, so that each request targets another row. */
type RequestSpec = {
  what?: string;
  /** Overrides `things`, by parameter name. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};
export type Case = { endpoint: Endpoint; what: string; request: (n: number) => RequestSpec };

const SERVICES = ['admin', 'people', 'enrolment', 'moderation'];
/** Operations of other services that the administration pages call. */
const OTHERS = ['listPieces', 'readPiece', 'comparePiece', 'listPieceVersions', 'listContentFindings'];

const nth = (list: readonly string[], n: number) => list[n % list.length] ?? '';

/** Variants of reading operations that cost more than a request without parameters. */
function variants(things: Things): Record<string, ((n: number) => RequestSpec)[]> {
  const piece = (n: number) => ({ kind: 'lesson', key: nth(things.lessons, n) });
  const word = (n: number) => nth(['umbra', 'plain', 'budget', 'mari', '2026-1', 'zzz'], n);
  return {
    listCohorts: [
      () => ({ what: 'newest' }),
      () => ({ what: 'by name, live counts', query: { sort: 'name', withLiveStats: 'true' } }),
      (n) => ({ what: 'matching', query: { match: word(n), withLiveStats: 'true' } }),
      () => ({ what: 'last page', query: { sort: '-name', offset: '900' } }),
      () => ({ what: 'oldest, live counts', query: { sort: 'createdAt', withLiveStats: 'true' } }),
    ],
    listCohortUsers: [() => ({ what: 'first page' }), () => ({ what: 'count', query: { count: 'true' } })],
    listProducts: [(n) => ({ query: { contentType: nth(['academy', 'courseJourney'], n), match: n % 2 ? 'a' : '' } })],
    listProductAccess: [
      () => ({ what: 'all' }),
      (n) => ({ what: 'matching', query: { match: word(n), sort: '-view' } }),
    ],
    previewProductAccess: [() => ({ query: { can_view: 'verified', can_join: 'private' } })],
    listAuditLog: [
      () => ({ what: 'newest' }),
      () => ({ what: 'one action', query: { action: 'admin.add-cohort-user' } }),
      (n) => ({ what: 'one object', query: { object: nth(things.cohorts, n) } }),
      (n) => ({
        what: 'one person and a rare action',
        query: { actor: nth(things.administrators, n), action: 'people.create-auto-approval' },
      }),
      () => ({ what: 'a day long ago', query: { from: '2026-01-10T00:00:00Z', to: '2026-01-11T00:00:00Z' } }),
    ],
    findPeople: [
      () => ({ what: 'by name' }),
      () => ({ what: 'last possible page', query: { sort: '-createdAt', offset: '10000' } }),
      () => ({ what: 'active, newest', query: { state: 'active', sort: '-createdAt' } }),
      () => ({ what: 'one role', query: { role: 'public-servant' } }),
      () => ({ what: 'waiting', query: { state: 'waiting' } }),
      (n) => ({
        what: 'matching',
        query: { match: nth(['ana', 'whitaker', 'policy', '青木', 'health.example', 'zzz'], n) },
      }),
      (n) => ({ what: 'matching nearly all', query: { match: nth(['example', 'a', 'e'], n) } }),
    ],
    listCohortProgress: [
      () => ({ what: 'all' }),
      () => ({ what: 'finished', query: { state: 'finished' } }),
      () => ({ what: 'not started', query: { state: 'not-started' } }),
    ],
    readUploadDraft: [
      (n) => ({
        params: { id: nth(things.cohorts.slice(0, things.drafts.length), n), draftId: nth(things.drafts, n) },
      }),
    ],
    readFigures: [
      () => ({ what: 'all products, one year', query: { weeks: '53' } }),
      (n) => ({ what: 'one cohort', query: { cohort: nth(things.cohorts, n) } }),
      (n) => ({ what: 'one cohort, one year', query: { cohort: nth(things.cohorts, n), weeks: '53' } }),
      (n) => ({ what: 'one course, one year', query: { course: nth(things.courses, n), weeks: '53' } }),
      (n) => ({
        what: 'one cohort in one course',
        query: { cohort: nth(things.cohorts, n), course: nth(things.courses, n), weeks: '53' },
      }),
    ],
    listMails: [
      () => ({ what: 'sent', query: { status: 'sent', offset: '10000' } }),
      () => ({ what: 'failed', query: { status: 'failed' } }),
    ],
    listCases: [
      () => ({ what: 'waiting' }),
      () => ({ what: 'open, most reported', query: { sort: '-reports' } }),
      () => ({ what: 'decided', query: { state: 'decided', sort: '-since' } }),
      () => ({ what: 'decided, most reported', query: { state: 'decided', sort: '-reports' } }),
      (n) => ({ what: 'decided, one community', query: { state: 'decided', community: nth(things.communities, n) } }),
    ],
    listReports: [(n) => ({ query: { community: nth(things.communities, n) } })],
    listAppeals: [(n) => ({ query: { community: nth(things.communities, n) } })],
    listModerationLog: [(n) => ({ query: { community: nth(things.communities, n) } })],
    listPieces: [
      () => ({ what: 'all' }),
      () => ({ what: 'by title', query: { sort: 'title', offset: '50' } }),
      (n) => ({ what: 'matching', query: { q: word(n) } }),
      () => ({ what: 'lessons in one language', query: { kind: 'lesson', language: 'fr' } }),
      () => ({ what: 'lessons without a language', query: { kind: 'lesson', missing: 'fr' } }),
      () => ({ what: 'top of the tree', query: { under: 'top' } }),
    ],
    readPiece: [(n) => ({ params: piece(n) })],
    comparePiece: [(n) => ({ params: piece(n), query: { from: 'live' } })],
    listPieceVersions: [(n) => ({ params: piece(n) })],
    listUserRecords: [
      () => ({ what: 'first page' }),
      () => ({ what: 'last possible page', query: { offset: '10000' } }),
      (n) => ({ what: 'one address', query: { email: nth(things.emails, n) } }),
    ],
    readRegistration: [(n) => ({ query: { email: nth(things.emails, n) } })],
    listBulkEnrolments: [
      () => ({ what: 'first page' }),
      (n) => ({ what: 'one address', query: { email: nth(things.emails, n) } }),
      () => ({ what: 'one status', query: { status: 'pending' } }),
      () => ({ what: 'one type and status', query: { type: 'courses', status: 'enrolled', offset: '2000' } }),
    ],
    listUserCommunities: [
      () => ({ what: 'first page' }),
      () => ({ what: 'last possible page', query: { offset: '10000' } }),
      (n) => ({ what: 'one person', query: { userId: nth(things.users, n) } }),
      (n) => ({ what: 'one community', query: { communitySlug: nth(things.communities, n) } }),
      () => ({ what: 'owners', query: { role: 'owner' } }),
      () => ({ what: 'members', query: { role: 'member' } }),
    ],
    reviewAutoApprovals: [() => ({ what: 'all' }), () => ({ what: 'with warnings', query: { warned: 'true' } })],
    checkAutoApproval: [(n) => ({ query: { type: 'domain', value: `office-${n}.example.gov` } })],
    listMyActivities: [() => ({ params: { id: 'me' } })],
    searchUsers: [
      (n) => ({ what: 'matching', body: { match: nth(['ana', 'whitaker', 'policy', '青木', 'zzz'], n) } }),
      () => ({ what: 'all', body: {} }),
      () => ({ what: 'last possible page', body: { offset: 10_000 } }),
      (n) => ({ what: 'matching nearly all', body: { match: nth(['e', 'a'], n) } }),
    ],
  };
}

/** Writes that change little or nothing, so that they can be repeated. */
function writes(things: Things): Record<string, (n: number) => RequestSpec> {
  return {
    updateCohort: (n) => ({ body: { notes: `Measured ${n}` } }),
    addCohortUser: (n) => ({ what: 'a person', body: { email: nth(things.emails, n) } }),
    setProductAccess: () => ({ body: { can_view: 'public', can_join: 'authenticated' } }),
    registerProduct: () => ({ what: 'registered already', body: {} }),
    testAutoApprovals: (n) => ({
      what: '50 addresses',
      body: { emails: Array.from({ length: 50 }, (_, k) => `p${n}.${k}@sub-${k}.health.example.gov`).join(' ') },
    }),
    createUpload: (n) => ({
      what: '100 addresses',
      body: { slug: 'measured', emails: Array.from({ length: 100 }, (_, k) => nth(things.emails, n * 100 + k)) },
    }),
  };
}

/** Every reading operation of the administration in the contract, and the repeatable writes. */
export function casesOf(things: Things): Case[] {
  const [reading, writing] = [variants(things), writes(things)];
  return ENDPOINTS.filter(({ service, name }) => SERVICES.includes(service) || OTHERS.includes(name)).flatMap(
    (endpoint): Case[] => {
      const requests: ((n: number) => RequestSpec)[] =
        reading[endpoint.name] ?? (endpoint.method === 'GET' ? [() => ({})] : []);
      const write = writing[endpoint.name];
      return [...requests, ...(write ? [write] : [])].map((request) => ({
        endpoint,
        what: request(0).what ?? '',
        request,
      }));
    },
  );
}

/** Fills the parameters of a path. Returns undefined when no id is known for one of them. */
export function fillPath(
  path: string,
  things: Things,
  { n, params = {} }: { n: number; params?: Record<string, string> | undefined },
): string | undefined {
  let isKnown = true;
  const named = path.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  const filled = named.replace(/([^/{}]+)\/\{\w+\}/g, (_, word: string) => {
    const list = (things as Record<string, string[] | undefined>)[word];
    if (!list?.length) isKnown = false;
    return `${word}/${encodeURIComponent(nth(list ?? [], n))}`;
  });
  return isKnown ? filled : undefined;
}

/**
 * Samples ids of every kind, largest cohorts and courses first. An upload or a journey shares its index with its cohort
 * or course. Drafts of uploads do not exist until `createDrafts` makes them.
 */
export async function findThings(client: pg.ClientBase): Promise<Things> {
  const list = async (query: string) => (await client.query<{ id: string }>(query)).rows.map(({ id }) => id);
  const some = (from: string, id = 'id') =>
    list(`select ${id}::text as id from ${from} order by md5(${id}::text) limit 200`);
  const cohorts = await client.query<{ id: string; upload: string; journey: string }>(`
    select c.id, (select u.id from cohort_uploads u where u.cohort_id = c.id limit 1) as upload, j.key as journey
    from (select cohort_id as id, count(*) as size from cohort_members group by 1) c
    cross join lateral (
      select j.key from cohort_products p join journeys j on j.entry_id = p.entry_id or j.course_id = p.entry_id
      where p.cohort_id = c.id and j.withdrawn_at is null limit 1) j
    where exists (select from cohort_uploads u where u.cohort_id = c.id)
    order by c.size desc limit 200`);
  return {
    cohorts: cohorts.rows.map(({ id }) => id),
    uploads: cohorts.rows.map(({ upload }) => upload),
    drafts: [],
    progress: cohorts.rows.map(({ journey }) => journey),
    communities: await list('select slug as id from communities order by activity_count(id) desc'),
    courses: await list(`
      select c.slug as id from courses c join journeys j on j.course_id = c.id join journey_enrolments e on e.journey_key = j.key
      group by c.id order by count(*) desc`),
    lessons: await some('lessons', 'key'),
    people: await some(`users where role <> 'inactive' and email_proven_at is not null`),
    decisions: await some('moderation_decisions'),
    administrators: await list(`select id::text from users where role = 'administrator' order by id`),
    products: await some('products', 'entry_id'),
    'auto-approvals': await some('auto_approvals'),
    users: await some(`users where role <> 'inactive' and email_proven_at is not null`),
    profiles: await some(`users where role <> 'inactive' and email_proven_at is not null`),
    'bulk-enrolments': await some('bulk_enrolments'),
    'user-communities': await some('community_members'),
    emails: await list(
      `select email as id from users where email_proven_at is not null and role = 'public-servant' order by id limit 200`,
    ),
  };
}
