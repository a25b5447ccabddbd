import { ErrorBody } from '@officium/contract/common';
import { mountedPath, type Auth, type Endpoint, type Service } from '@officium/contract/endpoint';
import type { ErrorCode } from '@officium/contract/errors';
import { z } from 'zod';
import { ANSWER_HEADERS, ANSWER_SCHEMAS, refusalsOf, successOf } from './openapi-answers.ts';
import { exampleFor } from './openapi-examples.ts';

export type OpenApiJson = Record<string, unknown>;
type Schema = z.core.$ZodType;

const ABOUT = `The API of Officium, a learning and community platform for public-service professionals.

**Signing in.** \`POST /api/auth/logins\` sets a session cookie. A request that changes something and carries it also says that it comes from no other site: \`Sec-Fetch-Site: same-origin\` (browsers do) or \`Origin\` with the address of the product. Programs send \`Authorization: Bearer <service key>\` instead.

**Errors.** One body, \`{statusCode, error, message, requestId, code}\`; a refused input adds \`issues: [{path, message}]\`. What is hidden from you answers as if it did not exist.

**Paging.** \`limit\` and \`offset\`, or what a list names instead; \`total\` counts all. A \`next\` or \`continuationToken\` is passed back as it came and is absent at the end.

**Once only.** Any POST takes an \`Idempotency-Key\`.

Times are ISO 8601 UTC, ids are UUIDs in lower case, lengths count Unicode code points.`;

const TAGS: Record<Service, string> = {
  account: 'One’s own profile, language, visibility and connections.',
  admin: 'Cohorts, their people and products, and who may see and join a product.',
  ai: 'Questions about a lesson, and what may become of a job.',
  assets: 'Certificates, profile images and previews of links.',
  auth: 'Signing up, in and out; passwords and e-mail addresses.',
  community: 'Communities, their feeds, reactions, polls and members; discussions of lessons.',
  content: 'The catalogue of courses, academies and articles; translations; events of the content platform.',
  enrolment: 'Letting people into courses and communities, one by one or many.',
  learner: 'Courses, journeys and lessons as a learner sees them; progress.',
  search: 'Finding what one may read, by its words.',
  moderation: 'Reports of posts and replies, decisions about them, appeals, and how often there are any.',
  notifications: 'What one is told of, as it happens and by mail, and how.',
  people: 'Records of accounts, approvals, memberships and what people have.',
};

/** The second tag of operations Officium adds to the specification. The reference lists each under its first alone. */
const EXTENSION = {
  name: 'extension',
  description: 'Operations beyond the core specification.',
  'x-scalar-ignore': true,
};

const CALLERS: Record<Auth, string> = {
  none: 'For anyone.',
  user: 'For people who are signed in.',
  admin: 'For administrators.',
  service: 'For a service key or an administrator.',
  webhook: 'For the content platform, by its key.',
};

/** `{}`: it is answered without any, too. */
const SECURITY: Record<Auth, OpenApiJson[]> = {
  none: [{}, { session: [] }, { serviceKey: [] }],
  user: [{ session: [] }],
  admin: [{ session: [] }],
  service: [{ serviceKey: [] }, { session: [] }],
  webhook: [{ webhookKey: [] }],
};

/** The JSON Schema of what is sent or answered, whole: nothing in it refers elsewhere. */
export function schemaOf(schema: Schema, io: 'input' | 'output'): OpenApiJson {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as OpenApiJson; // an object always
  return plain(json, (json['$defs'] ?? {}) as OpenApiJson, io);
}

/** Definitions stand in place, and what says nothing to a reader is left out. None of our schemas is recursive. */
function plain(value: unknown, definitions: OpenApiJson, io: 'input' | 'output'): OpenApiJson {
  const saysNothing = (node: OpenApiJson, key: string) =>
    key === '$defs' ||
    // The name zod gives a schema, not a property that is called `id`.
    (key === 'id' && typeof node[key] === 'string') ||
    // Keys are texts always.
    (key === 'propertyNames' && JSON.stringify(node[key]) === '{"type":"string"}') ||
    // Answers may say more one day.
    (io === 'output' && key === 'additionalProperties' && node[key] === false) ||
    // A parameter of an address is described as what it is read as, by `.meta()` over the text it comes as.
    (key === 'pattern' && node['type'] === 'integer') ||
    (key === 'enum' && node['type'] === 'boolean');
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as OpenApiJson; // an object, just tested
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

/** What a parameter counts as when it is left out, if that can be written in an address. */
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

/** What the frame answers for an operation, whatever its handler does. */
export function usualErrors({ auth, method, path }: Endpoint): ErrorCode[] {
  const isForPeople = auth !== 'none' && auth !== 'webhook';
  return [
    'request.invalid',
    // A body is read wherever one is sent, also where none is asked for.
    ...(method === 'GET' ? [] : (['request.malformed', 'request.too_large', 'request.media_type'] as const)),
    ...(auth === 'admin' || auth === 'service' ? (['auth.second_factor_missing'] as const) : []),
    ...(isForPeople ? (['auth.required', 'auth.not_proven', 'auth.inactive', 'auth.forbidden'] as const) : []),
    'auth.wrong_key',
    ...(method !== 'GET' && auth !== 'webhook' ? (['auth.cross_site'] as const) : []),
    ...(path.includes('{') ? (['request.malformed', 'request.not_found'] as const) : []),
    ...(method === 'POST' && auth !== 'webhook' ? (['idempotency.reused', 'request.not_found'] as const) : []),
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
    // A body left out counts as an empty object.
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
    description: [CALLERS[endpoint.auth], endpoint.description].filter(Boolean).join('\n\n'),
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
 * The OpenAPI 3.1 document of the given operations, made from the schemas that validate. Each operation can be read
 * alone; openapi-published.ts makes of it the shorter document that is served.
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
      contact: { name: 'Whoever runs this installation', url: options.url },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // A machine's own name is no address for others; they find the API where they found the document.
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
            'The same key by the same caller within 24 hours gets the first answer again and does nothing twice. Sessions with different permissions are different callers.',
          schema: { type: 'string', minLength: 1, maxLength: 128 },
        },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: options.cookie,
          description:
            'Set by what signs in: signIn, confirmLoginLink, confirmSignUp, exchangeToken, mintToken. Keep the `device` cookie as well: it lets a known browser sign in while strangers guess at the password. A request that changes something also needs Sec-Fetch-Site or Origin.',
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
