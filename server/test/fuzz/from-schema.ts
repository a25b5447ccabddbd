import fc from 'fast-check';
import { textOfLength } from './awkward.ts';
import type { Kind } from './fixture.ts';

/** A placeholder for an existing object of the fixture, resolved when the request is sent. */
export class Known {
  readonly kind: Kind;
  readonly pick: number;
  /** A template; `%` becomes the object's identifier. */
  readonly within: string;
  constructor(kind: Kind, pick: number, within = '%') {
    this.kind = kind;
    this.pick = pick;
    this.within = within;
  }
}

/** A known object of a kind, mostly the first one; the first ones of all kinds belong together. */
export function known(kind: Kind, within?: string): fc.Arbitrary<Known> {
  return fc
    .oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(9) })
    .map((pick) => new Known(kind, pick, within));
}

/** The part of JSON Schema that the contract uses. */
export type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  pattern?: string;
  format?: string;
};

const KINDS_BY_NAME: Record<string, Kind> = {
  articleSlug: 'article',
  author: 'user',
  category: 'category',
  categories: 'category',
  code: 'code',
  cohortIds: 'cohort',
  communities: 'community',
  communitySlug: 'community',
  courseId: 'courseId',
  courseSlug: 'course',
  email: 'email',
  emails: 'email',
  entryIds: 'entry',
  forgotPassword: 'secret',
  id_gt: 'reaction',
  id_lt: 'reaction',
  journeyId: 'journeyId',
  journeySlug: 'journey',
  lessonSlug: 'lesson',
  newEmail: 'email',
  oldPassword: 'password',
  onboardingState: 'secret',
  password: 'password',
  peerId: 'user',
  redirectUrl: 'url',
  returnTo: 'url',
  token: 'secret',
  uploadId: 'upload',
  userId: 'user',
};

const MOMENTS = [
  '2000-01-01T00:00:00.000Z',
  '2026-12-31',
  '2999-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
];

/** For schemas that accept everything. */
const anything = fc.constantFrom<unknown>('text', 'a\u0301', 1, true, null, [], {}, { a: [1, { b: 'c' }] });

const ORDINARY_TEXTS = [
  fc.constantFrom('Some **text** of an ordinary kind', '<b>Bold</b> & more', 'https://example.org/ and `code`'),
  known('user', 'For {{%}} and {{%}}'),
];

/** fast-check has none. */
const withoutLookaheads = (pattern: string) => pattern.replaceAll(/\(\?[=!][^()]*\)/g, '');

/** Enough characters for a pattern that demands a number of them. */
const roomFor = (pattern: string) =>
  Math.max(80, ...[...pattern.matchAll(/\{(\d+)\}/g)].map(([, n]) => Number(n) + 10));

function textFrom(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const kind = KINDS_BY_NAME[name];
  if (schema.format === 'email')
    return fc.oneof(
      known('email'),
      fc.nat(99).map((at) => `someone-${at}@example.gov`),
    );
  if (schema.format === 'uuid' || /a-fA-F/.test(schema.pattern ?? ''))
    return fc.oneof({ weight: 3, arbitrary: known(kind ?? 'user') }, { weight: 1, arbitrary: fc.uuid() });
  if (schema.pattern?.startsWith('^-?\\d')) return fc.constantFrom('1', '1', '2', '2', '10', '10', '100', '0');
  if (schema.format === 'date-time' || schema.format === 'date') return fc.constantFrom(...MOMENTS);
  if (schema.format === 'uri') return fc.constantFrom('https://example.org/a?b=%20#c', 'http://xn--ls8h.example/');
  const free = schema.pattern
    ? fc.stringMatching(new RegExp(withoutLookaheads(schema.pattern), 'u'), { maxLength: roomFor(schema.pattern) })
    : fc.oneof(
        textOfLength(schema.minLength ?? 0, Math.min(schema.maxLength ?? 300, 20_000)),
        ...((schema.maxLength ?? 300) < 100 ? [] : ORDINARY_TEXTS),
      );
  return kind ? fc.oneof({ weight: 4, arbitrary: known(kind) }, { weight: 1, arbitrary: free }) : free;
}

function numberFrom(schema: JsonSchema): fc.Arbitrary<number> {
  const min = schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1e6 : schema.exclusiveMinimum + 1);
  const max = schema.maximum ?? 1e6;
  const between =
    schema.type === 'integer'
      ? fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) })
      : fc.double({ min, max, noNaN: true });
  return fc.oneof(fc.constantFrom(min, max, Math.min(max, Math.max(min, 1))), between);
}

function objectFrom(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const fields = fc.record(
    Object.fromEntries(
      Object.entries(properties)
        .filter(([, inner]) => !inner.not)
        .map(([name, inner]) => [name, valueFrom(inner, name)]),
    ),
    { requiredKeys: required },
  );
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return fields;
  const names = fc.oneof(
    fc.constantFrom('en', 'fr', 'sr-Cyrl'),
    propertyNames?.maxLength || propertyNames?.minLength
      ? textOfLength(propertyNames.minLength ?? 0, propertyNames.maxLength ?? 50)
      : fc.constantFrom('name', 'a b'),
  );
  return fc
    .array(fc.tuple(names, valueFrom(additionalProperties, '')), { maxLength: 4 })
    .map((pairs) => Object.fromEntries(pairs));
}

/** Values that match a schema as far as it describes them. */
export function valueFrom(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueFrom(choice, name)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valueFrom({ ...schema, type }, name)));
  switch (schema.type) {
    case 'string':
      return textFrom(schema, name);
    case 'integer':
    case 'number':
      return numberFrom(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      if (name === 'cohortIds') return known('cohort').map((id) => [id]);
      const most = schema.maxItems ?? 12;
      const items = valueFrom(schema.items ?? {}, name);
      return fc.array(items, { minLength: schema.minItems ?? 0, maxLength: Math.min(most, 12) });
    }
    case 'object':
      return objectFrom(schema);
    default:
      return anything;
  }
}
