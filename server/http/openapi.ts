import { STATUS_CODES } from 'node:http';
import { ErrorBody } from '@officium/contract/common';
import { mountedPath, type Auth, type Endpoint } from '@officium/contract/endpoint';
import { type ErrorCode, ERRORS } from '@officium/contract/errors';
import { z } from 'zod';

type Json = Record<string, unknown>;

const SECURITY: Record<Auth, Json[]> = {
  none: [],
  user: [{ session: [] }],
  admin: [{ session: [] }],
  service: [{ serviceKey: [] }, { session: [] }],
  webhook: [{ webhookKey: [] }],
};

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json; // an object always
  return inlineDefinitions(json, (json['$defs'] ?? {}) as Json);
}

/** Definitions of one schema stand in place, so that operations can be read alone. None of ours is recursive. */
function inlineDefinitions(value: unknown, definitions: Json): Json {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as Json; // an object, just tested
    if (typeof $ref === 'string' && $ref.startsWith('#/$defs/'))
      return walk(definitions[$ref.slice('#/$defs/'.length)]);
    return Object.fromEntries(
      Object.entries(rest)
        // The name zod gives a schema, not a property that is called `id`.
        .filter(([key, inner]) => key !== '$defs' && !(key === 'id' && typeof inner === 'string'))
        .map(([key, inner]) => [key, walk(inner)]),
    );
  };
  return walk(value) as Json; // an object in, an object out
}

function parametersOf(endpoint: Endpoint): Json[] {
  const parameters: Json[] = [];
  for (const [part, place] of [
    ['params', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      const { description, ...rest } = property;
      parameters.push({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description ? { description } : {}),
        schema: rest,
      });
    }
  }
  if (endpoint.method === 'POST' && endpoint.auth !== 'webhook')
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  return parameters;
}

/** What the frame answers for an operation, whatever its handler does. */
export function usualErrors({ auth, method, path, body }: Endpoint): ErrorCode[] {
  const isForPeople = auth !== 'none' && auth !== 'webhook';
  return [
    'request.invalid',
    ...(body ? (['request.malformed', 'request.too_large', 'request.media_type'] as const) : []),
    ...(isForPeople ? (['auth.required', 'auth.not_proven', 'auth.inactive', 'auth.forbidden'] as const) : []),
    'auth.wrong_key',
    ...(method !== 'GET' && auth !== 'webhook' ? (['auth.cross_site'] as const) : []),
    ...(path.includes('{') ? (['request.malformed', 'request.not_found'] as const) : []),
    ...(method === 'POST' && auth !== 'webhook' ? (['idempotency.reused'] as const) : []),
    'request.too_many',
    'server.failed',
    'server.unavailable',
  ];
}

function responsesOf(endpoint: Endpoint): Json {
  const responses: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(endpoint.replies)) {
    responses[status] = {
      description: STATUS_CODES[Number(status)] ?? 'Success',
      ...(schema ? { content: { 'application/json': { schema: schemaOf(schema, 'output') } } } : {}),
    };
    if (endpoint.download && Number(status) === usualStatus(endpoint))
      responses[status]['content'] = { [endpoint.download]: { schema: { type: 'string', format: 'binary' } } };
  }
  const errors = new Map<number, string[]>();
  const add = (code: string) => {
    const { status, message } = ERRORS[code as keyof typeof ERRORS]; // a test compares every declared code with ERRORS
    errors.set(status, [...(errors.get(status) ?? []), `\`${code}\`: ${message}`]);
  };
  for (const code of [...usualErrors(endpoint), ...(endpoint.errors ?? [])]) add(code);
  for (const [status, reasons] of errors) {
    responses[String(status)] = {
      description: [...new Set(reasons)].join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return responses;
}

function uploadOf(field: string): Json {
  const properties = { [field]: { type: 'string', format: 'binary' } };
  return {
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', properties, required: [field] } } },
  };
}

function operationOf(endpoint: Endpoint): Json {
  const extension = endpoint.extension ? 'An extension: not part of the customer’s contract.' : '';
  const description = [endpoint.description, extension].filter(Boolean).join('\n\n');
  return {
    operationId: endpoint.name,
    tags: [endpoint.service],
    summary: endpoint.summary,
    ...(description ? { description } : {}),
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    security: SECURITY[endpoint.auth],
    parameters: parametersOf(endpoint),
    ...(endpoint.body
      ? {
          requestBody: {
            // A body left out counts as an empty object.
            required: !z.safeParse(endpoint.body, {}).success,
            content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
          },
        }
      : {}),
    ...(endpoint.upload ? { requestBody: uploadOf(endpoint.upload) } : {}),
    responses: responsesOf(endpoint),
  };
}

/** The OpenAPI 3.1 document of the given operations, made from the schemas that validate. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  options: { url: string; version: string; cookie: string },
): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = mountedPath(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Officium',
      version: options.version,
      description:
        'The API of Officium, a learning and community platform for public-service professionals. Times are ISO 8601 UTC, ids are UUIDs in lower case, every error has one body.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.url }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.service))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'The same key by the same caller within 24 hours gets the first answer again and does nothing twice.',
          schema: { type: 'string', minLength: 1, maxLength: 128 },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: options.cookie },
        serviceKey: { type: 'http', scheme: 'bearer' },
        webhookKey: { type: 'apiKey', in: 'header', name: 'x-webhook-key' },
      },
    },
  };
}
