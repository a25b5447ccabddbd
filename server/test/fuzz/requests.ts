import { type Endpoint, mountedPath } from '@officium/contract/endpoint';
import fc from 'fast-check';
import { AWKWARD_TEXTS, awkwardValue, RawJson, toJson } from './awkward.ts';
import { CALLERS_OF, bodyFrom } from './bodies.ts';
import { type JsonSchema, Known, known, valueFrom } from './from-schema.ts';
import { oddHeaders, TOPICS, uploads, usualWire, type Wire, wires } from './wires.ts';
import { type Caller, CALLERS, type Kind, type Fixture } from './fixture.ts';

/** An operation as in openapi.json. */
export type Operation = {
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
};

/** The request on the wire. */
export type Request = { method: string; url: string; headers: Record<string, string>; body?: string | Buffer };

type Given = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown };
type Mutation = { at: number; how: 'replace' | 'add' | 'remove' | 'list' | 'nest'; name: string; value: unknown };
export type Plan = {
  caller: Caller;
  given: Given;
  mutations: Mutation[];
  headers: Record<string, string>;
  wire: Wire;
};

// Callers

const FITTING: Record<Endpoint['auth'], Caller[]> = {
  none: ['anonymous', 'member', 'administrator', 'service'],
  user: ['member', 'owner', 'moderator', 'administrator'],
  admin: ['administrator'],
  service: ['service', 'administrator'],
  webhook: ['webhook'],
};

// Path parameters

const KINDS_BY_SEGMENT: Record<string, Kind> = {
  academies: 'academy',
  accounts: 'user',
  articles: 'article',
  'auto-approvals': 'autoApproval',
  'bulk-enrolments': 'bulkEnrolment',
  'by-slug': 'editorial',
  certificates: 'certificate',
  cohorts: 'cohort',
  communities: 'community',
  connections: 'connection',
  courses: 'course',
  entries: 'entry',
  'event-sessions': 'eventSession',
  journeys: 'journey',
  lessons: 'lesson',
  'link-previews': 'encodedUrl',
  members: 'user',
  microcourses: 'microcourse',
  payloads: 'payload',
  'poll-options': 'option',
  polls: 'poll',
  products: 'product',
  registrations: 'user',
  profiles: 'user',
  'risk-analyses': 'jobAnalysis',
  sessions: 'session',
  threads: 'thread',
  'user-communities': 'userCommunity',
  users: 'user',
  votes: 'vote',
};
const KINDS_BY_PARAM: Record<string, Kind> = {
  activityId: 'discussion',
  courseId: 'courseId',
  email: 'email',
  journeyId: 'journeyId',
  lessonId: 'lessonId',
  reactionId: 'discussionReply',
};
const IN_COMMUNITY: Record<string, Kind> = { activities: 'activity', reactions: 'reaction' };

function paramFrom({ path }: Endpoint, name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const [, segment = ''] = new RegExp(`([^/]+)/\\{${name}\\}`).exec(path) ?? [];
  const kind = KINDS_BY_PARAM[name] ?? IN_COMMUNITY[segment] ?? KINDS_BY_SEGMENT[segment];
  const valid = valueFrom(schema, name);
  if (!kind || schema.const !== undefined) return valid;
  const mine = kind === 'user' ? fc.oneof(fc.constant('me'), known(kind)) : known(kind);
  return fc.oneof({ weight: 8, arbitrary: mine }, { weight: 1, arbitrary: valid });
}

// Mutations

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(999),
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constant('replace' as const) },
    { weight: 2, arbitrary: fc.constant('add' as const) },
    { weight: 2, arbitrary: fc.constant('remove' as const) },
    { weight: 1, arbitrary: fc.constant('list' as const) },
    { weight: 1, arbitrary: fc.constant('nest' as const) },
  ),
  name: fc.constantFrom(...AWKWARD_TEXTS, 'role', 'approved', 'limit', 'offset', 'locale'),
  value: awkwardValue,
});

function mutate(given: Given, { at, how, name, value }: Mutation): void {
  const places = placesIn(given);
  const [parent, key] = places[at % places.length]!; // there is always one
  const put = (at: string, inner: unknown) =>
    void Object.defineProperty(parent, at, { value: inner, enumerable: true, configurable: true, writable: true });
  if (how === 'replace') put(key, copy(value));
  if (how === 'add' && Array.isArray(parent)) parent.push(copy(value));
  else if (how === 'add') put(name, copy(value));
  if (how === 'remove') delete parent[key];
  if (how === 'list') put(key, [parent[key], parent[key]]);
  if (how === 'nest') put(key, { [key]: parent[key] });
}

/** Every path in a request that can be mutated, including params, query and body as a whole. */
function placesIn(given: Given): [Record<string, unknown>, string][] {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (parent: unknown) => {
    if (typeof parent !== 'object' || parent === null || parent instanceof Known || parent instanceof RawJson) return;
    for (const key of Object.keys(parent)) {
      places.push([parent as Record<string, unknown>, key]); // checked above to be an object
      walk((parent as Record<string, unknown>)[key]);
    }
  };
  for (const part of [given.params, given.query]) walk(part);
  if (given.body !== undefined) places.push([given as unknown as Record<string, unknown>, 'body']); // treated as a mutable field
  walk(given.body);
  return places.length > 0 ? places : [[given.query, 'limit']];
}

/** Requests to an operation: half match the schema and refer to existing objects, the others are wrong somewhere. */
export function planOf(endpoint: Endpoint, operation: Operation): fc.Arbitrary<Plan> {
  const part = (place: 'path' | 'query') => operation.parameters.filter((parameter) => parameter.in === place);
  const params = fc.record(
    Object.fromEntries(part('path').map(({ name, schema }) => [name, paramFrom(endpoint, name, schema)])),
  );
  const query = fc
    .record(Object.fromEntries(part('query').map(({ name, schema }) => [name, valueFrom(schema, name)])), {
      requiredKeys: part('query').flatMap(({ name, required }) => (required ? [name] : [])),
    })
    .map(({ id_lt, ...rest }) => (id_lt === undefined || 'id_gt' in rest ? rest : { id_lt, ...rest }));
  const given = fc.record({ params, query, body: bodyFrom(endpoint, operation) });
  const topics = endpoint.auth === 'webhook' ? TOPICS : fc.constant({});
  const right = fc.record({
    caller: fc.constantFrom(...(CALLERS_OF[endpoint.name] ?? FITTING[endpoint.auth])),
    given,
    mutations: fc.constant<Mutation[]>([]),
    headers: topics,
    wire: endpoint.upload ? uploads : fc.constant(usualWire),
  });
  const wrong = fc.record({
    caller: fc.oneof(fc.constantFrom(...FITTING[endpoint.auth]), fc.constantFrom(...CALLERS)),
    given,
    mutations: fc.array(mutation, { maxLength: 3 }),
    headers: fc.oneof({ weight: 2, arbitrary: topics }, { weight: 1, arbitrary: oddHeaders }),
    wire: endpoint.upload ? uploads : wires,
  });
  return fc.oneof(right, wrong);
}

// From plan to bytes

/** A deep copy for mutation. With a fixture, placeholders become its objects. */
function copy(value: unknown, fixture?: Fixture): unknown {
  if (value instanceof Known) {
    const things = fixture?.known[value.kind] ?? [];
    return value.within.replaceAll('%', things[value.pick % things.length] ?? '');
  }
  if (value instanceof RawJson || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, fixture));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner, fixture)]));
}

const asText = (value: unknown) => (typeof value === 'string' ? value : toJson(value)).slice(0, 6_000);
/** Encodes a lone surrogate as three bytes, which encodeURIComponent rejects. */
const encode = (text: string) =>
  [...text].map((point) => (point.isWellFormed() ? encodeURIComponent(point) : '%ED%A0%80')).join('');

/** Some path segments are sent unencoded and may lead to another route. */
const inPath = (value: unknown) =>
  typeof value === 'string' && ['..', '.', '%', 'a/b'].includes(value)
    ? value
    : value === undefined
      ? ''
      : encode(asText(value));

function queryOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, unknown][] =>
    Array.isArray(value)
      ? value.map((item) => [name, item])
      : typeof value === 'object' && value !== null && !(value instanceof RawJson)
        ? Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, inner])
        : [[name, value]],
  );
  const text = pairs.map(([name, value]) => `${encode(name)}=${encode(asText(value))}`).join('&');
  return text === '' ? '' : `?${text}`;
}

export function requestOf(endpoint: Endpoint, plan: Plan, fixture: Fixture): Request {
  const given = copy(plan.given, fixture) as Given; // same shape
  for (const each of plan.mutations) mutate(given, each);
  const path = mountedPath(endpoint).replace(/\{(\w+)\}/g, (_, name: string) => inPath(given.params?.[name]));
  const { type, body } = plan.wire(given.body === undefined ? undefined : toJson(given.body));
  return {
    method: endpoint.method,
    url: path + queryOf(given.query ?? {}),
    headers: {
      ...fixture.headers[plan.caller],
      ...(type === undefined ? {} : { 'content-type': type }),
      ...plan.headers,
    },
    ...(body === undefined ? {} : { body }),
  };
}
