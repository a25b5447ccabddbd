import { usualStatus } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleFor } from './openapi-examples.ts';
import { publishedDocument } from './openapi-published.ts';
import { openApiDocument } from './openapi.ts';

type Node = Record<string, unknown>;
type Parameter = { $ref?: string; name: string; in: string };
type Operation = { operationId: string; tags: string[]; parameters: Parameter[]; responses: Record<string, unknown> };

const document = openApiDocument(ENDPOINTS, { url: 'https://learn.example.gov', version: '1', cookie: 'session' });
const paths = Object.entries(document['paths'] as Record<string, Record<string, Operation>>); // as it is built
const operations = paths.flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return Array.isArray(value) ? inner : [value as Node, ...inner]; // an object, tested above
}

const resolve = (ref: string, within: Node) =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key], within);

function danglingRefs(within: Node): string[] {
  const refs = nodesOf(within).flatMap((node) => (typeof node['$ref'] === 'string' ? [node['$ref']] : []));
  expect(refs.length).toBeGreaterThan(0);
  return refs.filter((ref) => resolve(ref, within) === undefined);
}

describe('openApiDocument', () => {
  it('defines everything it refers to', () => {
    expect(danglingRefs(document)).toEqual([]);
  });

  it('gives every placeholder of a path its parameter, and no parameter twice', () => {
    for (const { path, operation } of operations) {
      const names = operation.parameters.map((parameter) => parameter.$ref ?? `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size, path).toBe(names.length);
      const placeholders = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => `path ${name}`);
      expect(names.filter((name) => name.startsWith('path ')).toSorted(), path).toEqual(placeholders.toSorted());
    }
  });

  it('describes every required field, including one called `id`', () => {
    for (const { required, properties } of nodesOf(document))
      if (Array.isArray(required))
        expect(Object.keys((properties as Node | undefined) ?? {})).toEqual(expect.arrayContaining(required));
  });

  it('lists the possible answers of each type of operation', () => {
    const statusesOf = (name: string) =>
      Object.keys(operations.find(({ operation }) => operation.operationId === name)?.operation.responses ?? {});
    expect(statusesOf('indexEntry')).toEqual(expect.arrayContaining(['204', '400', '401', '413', '415', '503']));
    expect(statusesOf('readEntrySlug')).toEqual(expect.arrayContaining(['200', '400', '404']));
    expect(statusesOf('createArticle')).toEqual(expect.arrayContaining(['201', '401', '403', '409', '413', '415']));
  });

  it('types the parameters of an address and shows their defaults', () => {
    const feed = operations.find(({ operation }) => operation.operationId === 'listActivities')?.operation;
    expect(feed?.parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'limit',
          required: false,
          schema: { type: 'integer', minimum: 0, maximum: 100, default: 30 },
        }),
        expect.objectContaining({
          name: 'offset',
          schema: { type: 'integer', minimum: 0, maximum: 10_000, default: 0 },
        }),
      ]),
    );
  });

  it('shows the body of each refusal, including those in the specification’s own form', () => {
    const exampleOf = (name: string, status: string, code: string) => {
      const { responses } = operations.find(({ operation }) => operation.operationId === name)!.operation; // the operation exists
      const response = responses[status] as { content: { 'application/json': { examples: Record<string, Node> } } }; // an error's response
      return response.content['application/json'].examples[code]?.['value'];
    };
    expect(exampleOf('readCohort', '404', 'request.not_found')).toMatchObject({
      statusCode: 404,
      error: 'Not Found',
      message: 'Not found.',
      code: 'request.not_found',
    });
    expect(exampleOf('setPassword', '400', 'auth.password_used_before')).toMatchObject({
      statusCode: 400,
      errorCode: 'PasswordHistoryError',
    });
    expect(exampleOf('translate', '503', 'translation.unavailable')).toEqual({
      error: expect.any(String),
      code: 'translation_unavailable',
    });
    expect(exampleOf('translate', '503', 'server.unavailable')).toMatchObject({ statusCode: 503 });
  });

  it('tags what goes beyond the specification', () => {
    const tagged = operations.filter(({ operation }) => operation.tags.includes('extension'));
    expect(tagged.map(({ operation }) => operation.operationId).toSorted()).toEqual(
      ENDPOINTS.filter(({ extension }) => extension)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(JSON.stringify(document)).not.toContain('customer’s contract');
  });

  it.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
    'has examples for the requests and answers of %s that fit its schemas',
    (_, endpoint) => {
      const { request, replies = {} } = exampleFor(endpoint);
      const { body, download } = endpoint;
      if (body) expect(z.safeParse(body, request).error).toBeUndefined();
      for (const [status, schema] of Object.entries(endpoint.replies)) {
        const isJson = schema && !(download && Number(status) === usualStatus(endpoint));
        if (isJson) expect(z.safeParse(schema, replies[status]).error).toBeUndefined();
        else expect(replies[status]).toBeUndefined();
      }
    },
  );

  it('has examples of invented people, ids and times only', () => {
    const examples = JSON.stringify(ENDPOINTS.map(exampleFor));
    const emails = examples.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
    expect(emails.filter((email) => !email.endsWith('@example.gov'))).toEqual([]);
    const ids = examples.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
    expect(ids.filter((id) => !id.startsWith('0195542b-1c40-7a00-8000-'))).toEqual([]);
    const times = examples.match(/\d{4}-\d\d-\d\dT\d\d:/g) ?? [];
    expect(times.filter((time) => !time.startsWith('2026-03-'))).toEqual([]);
    expect(examples).not.toMatch(/localhost|127\.0\.0\.1/);
  });

  it('documents the headers that programs use', () => {
    const headersOf = (name: string, status: string) => {
      const { responses } = operations.find(({ operation }) => operation.operationId === name)!.operation; // the operation exists
      return Object.keys((responses[status] as { headers?: object }).headers ?? {});
    };
    expect(headersOf('signIn', '429')).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Reset']));
    expect(headersOf('signIn', '503')).toContain('Retry-After');
    expect(headersOf('setNickname', '200')).toContain('Deprecation');
    expect(headersOf('exchangeToken', '302')).toContain('Location');
  });
});

describe('publishedDocument', () => {
  const published = publishedDocument(document);
  const paths = published['paths'] as Record<string, Record<string, Operation>>; // as it is built

  it('has every operation of the contract once, and defines everything it refers to', () => {
    const names = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(names.toSorted()).toEqual(ENDPOINTS.map(({ name }) => name).toSorted());
    expect(danglingRefs(published)).toEqual([]);
  });

  it('keeps every refusal of the full document', () => {
    const whole = (response: unknown) => {
      const { $ref, ...own } = response as Node; // a response is an object
      const { description, headers, content } = (typeof $ref === 'string' ? resolve($ref, published) : own) as Node; // a response is an object
      const { examples } = (content as Record<string, Node> | undefined)?.['application/json'] ?? {};
      return { description, headers, examples };
    };
    const inPublished = new Map(
      Object.values(paths).flatMap((item) =>
        Object.values(item).map((operation) => [operation.operationId, operation]),
      ),
    );
    for (const { operation } of operations)
      for (const [status, response] of Object.entries(operation.responses))
        expect(
          whole(inPublished.get(operation.operationId)?.responses[status]),
          `${operation.operationId} ${status}`,
        ).toEqual(whole(response));
  });

  it("uses the contract's names for its schemas", () => {
    const created = paths['/api/community/communities/{slug}/activities']!['post']!.responses['201']; // the operation exists
    expect(created).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Activity' } } },
    });
  });

  it('satisfies a linter of OpenAPI 3.1 with its recommended rules', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // GET /cookies/token answers 302 only, as the customer's contract requires.
        'operation-2xx-response': 'off',
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(published), config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
    const successless = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith('2')));
    // These redirect.
    expect(successless.map(({ operationId }) => operationId)).toEqual(['exchangeToken', 'openUnsubscribe']);
  });
});
