import { ErrorBody } from '@officium/contract/common';
import { mountedPath, type Auth, type Endpoint, type Service } from '@officium/contract/endpoint';
import type { ErrorCode } from '@officium/contract/errors';
import { z } from 'zod';
import { ANSWER_HEADERS, ANSWER_SCHEMAS, refusalsOf, successOf } from './openapi-answers.ts';
import { exampleFor } from './openapi-examples.ts';

export type OpenApiJson = Record<string, unknown>;
type Schema = z.core.$ZodType;

const ABOUT = `The API of Officium, a learning and community platform for public-service professionals.

**Signing in.** \`POST /api/auth/logins\` sets a session cookie. A request with this cookie that changes something must also show that it comes from the same site: by \`Sec-Fetch-Site: same-origin\` (set by browsers) or \`Origin\` with the address of the product. Programs send \`Authorization: Bearer <service key>\` instead.

**Errors.** One body, \`{statusCode, error, message, requestId, code}\`; refused input adds \`issues: [{path, message}]\`. Hidden objects are answered as missing ones.

**Paging.** \`limit\` and \`offset\`, or the parameters of the list; \`total\` is the number of all results. Pass a \`next\` or \`continuationToken\` back unchanged; it is absent on the last page.

**Idempotency.** Every POST accepts an \`Idempotency-Key\`.

Times are ISO 8601 UTC, ids are UUIDs in lower case, lengths count Unicode code points.`;

const TAGS: Record<Service, string> = {
  account: 'Your own profile, language, visibility and connections.',
  admin: 'Cohorts, their members and products, and the scopes of products.',
  ai: 'The lesson assistant, and the outlook of a job.',
  assets: 'Certificates, profile images and previews of links.',
  auth: 'Signing up, in and out; passwords and e-mail addresses.',
  community: 'Communities, their feeds, reactions, polls and members; discussions of lessons.',
  content: 'The catalogue of courses, academies and articles; translations; events of the content platform.',
  enrolment: 'Enrolling people in courses and admitting them to communities, singly or in bulk.',
  learner: 'Courses, journeys and lessons for learners; progress.',
  search: 'Full-text search over everything the caller may read.',
  moderation: 'Reports of posts and replies, decisions, appeals, and their statistics.',
  notifications: 'Notifications, live and by mail, and their settings.',
  people: 'Records of accounts, approvals, memberships and entitlements.',
};

/**
 * The second tag of operations that Officium adds to the specification. The reference lists each under its first tag
 * only.
 */
const EXTENSION = {
  name: 'extension',
  description: 'Operations beyond the core specification.',
  'x-scalar-ignore': true,
};

const CALLERS: Record<Auth, string> = {
  none: 'For everybody.',
  user: 'For signed-in users.',
  admin: 'For administrators.',
  service: 'For a service key or an administrator.',
  webhook: 'For the content platform, with its key.',
};

function callersOf({ auth, capability }: Endpoint): string {
  return capability
    ? `For administrators, and people with the capability \`${capability}\` in the place.`
    : CALLERS[auth];
}

/** `{}`: anonymous calls are answered, too. */
const SECURITY: Record<Auth, OpenApiJson[]> = {
  none: [{}, { session: [] }, { serviceKey: [] }],
  user: [{ session: [] }],
  admin: [{ session: [] }],
  service: [{ serviceKey: [] }, { session: [] }],
  webhook: [{ webhookKey: [] }],
};

/** The JSON Schema of a request or reply, without references. */
export function schemaOf(schema: Schema, io: 'input' | 'output'): OpenApiJson {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as OpenApiJson; // always an object
  return plain(json, (json['$defs'] ?? {}) as OpenApiJson, io);
}

/** Inlines definitions and drops keywords without meaning for readers. None of our schemas is recursive. */
function plain(value: unknown, definitions: OpenApiJson, io: 'input' | 'output'): OpenApiJson {
  const saysNothing = (node: OpenApiJson, key: string) =>
    key === '$defs' ||
    // The name zod gives a schema, not a property called `id`.
    (key === 'id' && typeof node[key] === 'string') ||
    // Keys are always strings.
    (key === 'propertyNames' && JSON.stringify(node[key]) === '{"type":"string"}') ||
    // Answers may get more fields later.
    (io === 'output' && key === 'additionalProperties' && node[key] === false) ||
    // A parameter of an address has the described type of its parsed value (`.meta()`), beside its text form.
    (key === 'pattern' && node['type'] === 'integer') ||
    (key === 'enum' && node['type'] === 'boolean');
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as OpenApiJson; // an object, tested above
    if (typeof $ref === 'string' && $ref.startsWith('#/$defs/'))
      return walk({ ...(definitions[$ref.slice('#/$defs/'.length)] as OpenApiJson), ...rest }); // a definition is an object
    return Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !saysNothing(rest, key))
        .map(([key, inner]) => [key, walk(inner)]),
    );
  };
  return walk(value) as OpenApiJson; // an object in, an object out
}

/** The default of a parameter, if it can be written in an address. */
function defaultOf(schema: Schema, name: string): OpenApiJson {
  const { shape = {} } = schema._zod.def as { shape?: Record<string, Schema> }; // parameters are objects
  const parsed = shape[name] && z.safeParse(shape[name], undefined);
  return parsed?.success && ['string', 'number', 'boolean'].includes(typeof parsed.data)
    ? { default: parsed.data }
    : {};
}

function parametersOf(endpoint: Endpoint): OpenApiJson[] {
  const parameters: OpenApiJson[] = [];
  for (const [part, place] of [
    ['params', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Record<string, OpenApiJson>;
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      const { description, ...rest } = property;
      parameters.push({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description ? { description } : {}),
        schema: { ...rest, ...defaultOf(schema, name) },
      });
    }
  }
  if (endpoint.method === 'POST' && endpoint.auth !== 'webhook')
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  return parameters;
}

/** The errors that the framework returns for an operation, whatever its handler does. */
export function usualErrors({ name, auth, method, path, download }: Endpoint): ErrorCode[] {
  const isForPeople = auth !== 'none' && auth !== 'webhook';
  return [
    'request.invalid',
    // A body is read whenever one is sent, even where none is expected.
    ...(method === 'GET' ? [] : (['request.malformed', 'request.too_large', 'request.media_type'] as const)),
    ...(auth === 'admin' || auth === 'service' ? (['auth.second_factor_missing'] as const) : []),
    ...(isForPeople ? (['auth.required', 'auth.not_proven', 'auth.inactive', 'auth.forbidden'] as const) : []),
    'auth.wrong_key',
    ...(method !== 'GET' && auth !== 'webhook' ? (['auth.cross_site'] as const) : []),
    ...(path.includes('{') ? (['request.malformed', 'request.not_found'] as const) : []),
    ...(method === 'POST' && auth !== 'webhook' ? (['idempotency.reused', 'request.not_found'] as const) : []),
    // Refuses an administrator who previews the site as a learner.
    ...((method !== 'GET' || download) && auth !== 'webhook' && name !== 'signOut'
      ? (['preview.read_only'] as const)
      : []),
    'request.too_many',
    'server.failed',
    'server.unavailable',
  ];
}

function responsesOf(endpoint: Endpoint): OpenApiJson {
  const successes = Object.entries(endpoint.replies).map(([status, schema]) => [
    status,
    successOf(endpoint, Number(status), schema ? schemaOf(schema, 'output') : undefined),
  ]);
  const own = (endpoint.errors ?? []) as ErrorCode[]; // a test compares every declared code with ERRORS
  return { ...Object.fromEntries(successes), ...refusalsOf(endpoint, [...usualErrors(endpoint), ...own]) };
}

function bodyOf(endpoint: Endpoint, schema: Schema): OpenApiJson {
  const { request } = exampleFor(endpoint);
  return {
    // A missing body counts as an empty object.
    required: !z.safeParse(schema, {}).success,
    content: {
      'application/json': {
        schema: schemaOf(schema, 'input'),
        ...(request === undefined ? {} : { example: request }),
      },
    },
  };
}

function uploadOf(field: string): OpenApiJson {
  const properties = { [field]: { type: 'string', format: 'binary' } };
  return {
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', properties, required: [field] } } },
  };
}

function operationOf(endpoint: Endpoint): OpenApiJson {
  return {
    operationId: endpoint.name,
    tags: [endpoint.service, ...(endpoint.extension ? [EXTENSION.name] : [])],
    summary: endpoint.summary.charAt(0).toUpperCase() + endpoint.summary.slice(1),
    description: [callersOf(endpoint), endpoint.description].filter(Boolean).join('\n\n'),
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    security: SECURITY[endpoint.auth],
    parameters: parametersOf(endpoint),
    ...(endpoint.body ? { requestBody: bodyOf(endpoint, endpoint.body) } : {}),
    ...(endpoint.upload ? { requestBody: uploadOf(endpoint.upload) } : {}),
    responses: responsesOf(endpoint),
  };
}

/**
 * The OpenAPI 3.1 document of the given operations, built from the schemas that validate. Each operation is complete in
 * itself; openapi-published.ts turns it into the shorter document that is served.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  options: { url: string; version: string; cookie: string },
): OpenApiJson {
  const paths: Record<string, OpenApiJson> = {};
  for (const endpoint of endpoints) {
    const path = mountedPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Officium',
      version: options.version,
      description: ABOUT,
      contact: { name: 'The operator of this installation', url: options.url },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // A local name is no address for others; clients find the API where they found the document.
    servers: [{ url: /\/\/localhost\b/.test(options.url) ? '/' : options.url }],
    tags: [
      ...[...new Set(endpoints.map((endpoint) => endpoint.service))].map((name) => ({ name, description: TAGS[name] })),
      EXTENSION,
    ],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output'), ...ANSWER_SCHEMAS },
      headers: ANSWER_HEADERS,
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'A repetition with the same key and caller within 24 hours gets the first answer again and has no further effect. Sessions with different permissions count as different callers.',
          schema: { type: 'string', minLength: 1, maxLength: 128 },
        },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: options.cookie,
          description:
            'Set by signIn, confirmLoginLink, confirmSignUp, exchangeToken and mintToken. Keep the `device` cookie as well: it lets a known browser sign in while others try passwords. A request that changes something also needs Sec-Fetch-Site or Origin.',
        },
        serviceKey: { type: 'http', scheme: 'bearer', description: 'One of the installation’s service keys.' },
        webhookKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-webhook-key',
          description: 'The key the installation shares with the content platform.',
        },
      },
    },
  };
}
