import { SCHEMAS } from '@officium/contract/services';
import { z } from 'zod';
import { schemaOf, type OpenApiJson } from './openapi.ts';

type Operation = OpenApiJson & { parameters: OpenApiJson[]; responses: Record<string, OpenApiJson> };
type Paths = Record<string, Record<string, Operation>>;
type Named = { name: string; schema: OpenApiJson };

const REF = '#/components/schemas/';
const isObject = (value: unknown): value is OpenApiJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const pascal = (text: string) => text.replace(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
const mapValues = (node: OpenApiJson, change: (value: unknown) => unknown): OpenApiJson =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value)]));

/** The key of a schema, without the texts that may differ between uses. */
function keyOf(schema: OpenApiJson): string {
  return JSON.stringify({ ...schema, description: undefined, default: undefined });
}

/**
 * Whether a schema is distinctive enough to be matched by content: two strings of the same length may mean different
 * things.
 */
const isTelling = (schema: OpenApiJson) =>
  ['properties', 'enum', 'anyOf', 'oneOf', 'pattern', 'format'].some((word) => word in schema);

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (!isObject(value)) return [];
  return [...(isTelling(value) ? [keyOf(value)] : []), ...Object.values(value).flatMap(keysIn)];
}

/**
 * The named schemas of the contract that the paths use, by content. A schema with defaults differs between request and
 * reply; the request form is then named as input.
 */
function namedSchemas(paths: unknown): Map<string, Named> {
  const there = new Set(keysIn(paths));
  const byKey = new Map<string, Named>();
  const taken = new Set<string>();
  for (const io of ['output', 'input'] as const)
    for (const { module, name, schema } of SCHEMAS) {
      const json = schemaOf(schema, io);
      const key = keyOf(json);
      if (byKey.has(key) || !there.has(key)) continue;
      const own = z.globalRegistry.get(schema)?.id ?? name;
      const candidates = [own, `${own}Input`, `${pascal(module)}${own}`, `${pascal(module)}${own}Input`];
      const free = candidates.filter((_, at) => io === 'input' || at % 2 === 0).find((one) => !taken.has(one));
      if (free === undefined) continue;
      taken.add(free);
      byKey.set(key, { name: free, schema: json });
    }
  return byKey;
}

/** Moves the contract's schemas to the components and replaces their uses by references. */
function shareSchemas(document: OpenApiJson): OpenApiJson {
  const named = namedSchemas(document['paths']);
  const used = new Map<string, Named>();
  const share = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(share);
    if (!isObject(node)) return node;
    const known = isTelling(node) ? named.get(keyOf(node)) : undefined;
    if (!known) return mapValues(node, share);
    used.set(known.name, known);
    return {
      $ref: REF + known.name,
      ...(node['description'] === known.schema['description'] ? {} : { description: node['description'] }),
      ...('default' in node ? { default: node['default'] } : {}),
    };
  };
  const paths = share(document['paths']);
  const components = document['components'] as { schemas: OpenApiJson }; // as openapi.ts builds them
  const schemas: OpenApiJson = { ...components.schemas };
  for (const { name, schema } of used.values()) schemas[name] ??= mapValues(schema, share); // the Map grows during the loop
  const sorted = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...document, paths, components: { ...components, schemas: Object.fromEntries(sorted) } };
}

/** `auth.required`, `auth.wrong_key` and `request.invalid` make AuthRequiredOrWrongKeyOrRequestInvalid. */
function nameOf(codes: string[]): string {
  const areaOf = (code: string | undefined) => code?.split('.')[0];
  const words = codes.map((code, at) =>
    pascal(areaOf(codes[at - 1]) === areaOf(code) ? code.replace(/^\w+\./, '') : code),
  );
  return words.join('Or');
}

/** Moves refusals that many operations share to the components, named by their reasons. */
function shareRefusals(document: OpenApiJson): OpenApiJson {
  const paths = document['paths'] as Paths; // as openapi.ts builds them
  const counts = new Map<string, number>();
  const refusals = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, value]) => (status >= '400' ? [value] : [])),
    );
  for (const refusal of refusals) {
    const key = JSON.stringify(refusal);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const responses: Record<string, OpenApiJson> = {};
  const share = (response: OpenApiJson): OpenApiJson => {
    if ((counts.get(JSON.stringify(response)) ?? 0) < 2) return response;
    const { examples } = (response['content'] as Record<string, { examples: OpenApiJson }>)['application/json'] ?? {};
    const name = nameOf(Object.keys(examples ?? {}));
    responses[name] ??= response;
    // The same reasons with other headers keep the name of the first.
    if (JSON.stringify(responses[name]) !== JSON.stringify(response)) return response;
    return { $ref: `#/components/responses/${name}` };
  };
  const shared = Object.entries(paths).map(([path, item]) => [
    path,
    mapValues(item, (operation) => {
      const { responses: own, ...rest } = operation as Operation; // a path item holds operations
      return { ...rest, responses: mapValues(own, (response) => share(response as OpenApiJson)) }; // built from objects
    }),
  ]);
  const components = document['components'] as OpenApiJson; // as openapi.ts builds them
  return { ...document, paths: Object.fromEntries(shared), components: { ...components, responses } };
}

/** Merges paths that differ only in the name of a placeholder, which are equal in OpenAPI; the first name stays. */
function joinEqualPaths(document: OpenApiJson): OpenApiJson {
  const joined: Paths = {};
  for (const [path, item] of Object.entries(document['paths'] as Paths)) {
    const shape = path.replace(/\{\w+\}/g, '{}');
    const first = Object.keys(joined).find((known) => known.replace(/\{\w+\}/g, '{}') === shape) ?? path;
    const names = [...first.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const others = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const rename = (parameter: OpenApiJson) =>
      parameter['in'] === 'path' ? { ...parameter, name: names[others.indexOf(String(parameter['name']))] } : parameter;
    const renamed = mapValues(item, (operation) => {
      const { parameters, ...rest } = operation as Operation; // a path item holds operations
      return { ...rest, parameters: parameters.map(rename) };
    });
    joined[first] = { ...joined[first], ...(renamed as Record<string, Operation>) }; // the same, renamed
  }
  return { ...document, paths: joined };
}

/** The served document: nothing is repeated, so that generated clients get names for their types. */
export function publishedDocument(document: OpenApiJson): OpenApiJson {
  return shareRefusals(shareSchemas(joinEqualPaths(document)));
}
