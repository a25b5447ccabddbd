import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

type Node = Record<string, unknown>;
type Parameter = { $ref?: string; name: string; in: string };
type Operation = { operationId: string; parameters: Parameter[]; responses: Record<string, unknown> };

const document = openApiDocument(ENDPOINTS, { url: 'https://example.org', version: '1', cookie: 'session' });
const paths = Object.entries(document['paths'] as Record<string, Record<string, Operation>>); // as it is made
const operations = paths.flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return Array.isArray(value) ? inner : [value as Node, ...inner]; // an object, just tested
}

const resolve = (ref: string) =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document);

describe('openApiDocument', () => {
  it('names everything it refers to', () => {
    const refs = nodesOf(document).flatMap((node) => (typeof node['$ref'] === 'string' ? [node['$ref']] : []));
    expect(refs.length).toBeGreaterThan(0);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  it('gives every placeholder of a path its parameter, and no parameter twice', () => {
    for (const { path, operation } of operations) {
      const names = operation.parameters.map((parameter) => parameter.$ref ?? `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size, path).toBe(names.length);
      const placeholders = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => `path ${name}`);
      expect(names.filter((name) => name.startsWith('path ')).toSorted(), path).toEqual(placeholders.toSorted());
    }
  });

  it('describes every field it requires, one called `id` too', () => {
    for (const { required, properties } of nodesOf(document))
      if (Array.isArray(required))
        expect(Object.keys((properties as Node | undefined) ?? {})).toEqual(expect.arrayContaining(required));
  });

  it('says what every operation of a kind may answer', () => {
    const statusesOf = (name: string) =>
      Object.keys(operations.find(({ operation }) => operation.operationId === name)?.operation.responses ?? {});
    expect(statusesOf('indexEntry')).toEqual(expect.arrayContaining(['204', '400', '401', '413', '415', '503']));
    expect(statusesOf('readEntrySlug')).toEqual(expect.arrayContaining(['200', '400', '404']));
    expect(statusesOf('createArticle')).toEqual(expect.arrayContaining(['201', '401', '403', '409', '413', '415']));
  });
});
