import type { Endpoint } from '@officium/contract/endpoint';
import fc from 'fast-check';
import { awkwardText, awkwardValue, RawJson, textOfLength } from './awkward.ts';
import { Known, known, valueFrom } from './from-schema.ts';
import type { Operation } from './requests.ts';
import type { Caller } from './fixture.ts';

// Bodies whose schema is too vague to generate requests that reach the handler.

const inlineNodes = fc.array(
  fc.oneof(
    fc.record({
      nodeType: fc.constant('text'),
      value: fc.oneof(fc.constant('Some text'), awkwardText),
      marks: fc.constantFrom([], [{ type: 'bold' }], [{ type: 'nothing' }]),
      data: fc.constant({}),
    }),
    fc.record({
      nodeType: fc.constant('hyperlink'),
      data: fc.record({ uri: fc.constantFrom('https://example.org/', 'mailto:a@example.gov', 'javascript:x') }),
      content: fc.constant([{ nodeType: 'text', value: 'a link', marks: [], data: {} }]),
    }),
  ),
  { maxLength: 3 },
);
const richText = fc
  .array(
    fc.record({
      nodeType: fc.constantFrom('paragraph', 'heading-1', 'hr', 'table', 'list-item'),
      data: fc.constant({}),
      content: inlineNodes,
    }),
    { maxLength: 3 },
  )
  .map((blocks) => ({ nodeType: 'document', data: {}, content: blocks }));

const contentType = fc.constantFrom('course', 'lesson', 'communityPage', 'academy', 'qaQuestion', 'constructor');
const version = fc.option(fc.constantFrom(0, 1, 5, 2 ** 31, 2 ** 53 - 1), { nil: undefined });
const entryEvent = fc.oneof(
  fc.record({
    id: fc.oneof(known('entry'), fc.constantFrom('new-entry', '__proto__', 'a.b')),
    contentType,
    slug: fc.oneof(
      fc.constant(null),
      awkwardText,
      fc.dictionary(fc.constantFrom('en', 'en-US', 'xx', '__proto__'), awkwardText),
    ),
    version,
  }),
  fc.record({
    sys: fc.record({
      id: fc.oneof(known('entry'), fc.constantFrom('other-entry', 'constructor')),
      version,
      contentType: contentType.map((id) => ({ sys: { id } })),
    }),
    fields: fc.dictionary(
      fc.constantFrom('title', 'slug', 'body', '__proto__', 'minutes'),
      fc.dictionary(fc.constantFrom('en', 'en-US', 'de-DE', 'constructor', ''), awkwardValue, { maxKeys: 3 }),
      { maxKeys: 3 },
    ),
  }),
);

const UNPROVEN = fc.constant(new Known('email', 5)); // as listed by makeFixture
const password = textOfLength(8, 100);
const newPassword = fc.oneof(
  fc.record({ password, oldPassword: known('password') }),
  fc.record({ password, forgotPassword: fc.constant(new Known('secret', 2)) }),
  fc.record({ password, onboardingState: fc.constant(new Known('secret', 3)) }),
);
const reactionKind = fc.constantFrom('like', 'reply', 'reply', 'pin', 'poll-vote');
const cohortType = fc.constantFrom('LEARNERS', 'OFFICIUM_STAFF', 'OTHER');

const languages = { sourceLocales: fc.constant(['en']), targetLocales: fc.constantFrom(['fr'], ['en'], ['ar']) };
const translation = fc.oneof(
  fc.record({ content: richText, encoding: fc.constant('rich-text'), ...languages }),
  fc.record({ content: fc.constant('Some text'), encoding: fc.constant('plain-text'), ...languages }),
);
const options = fc
  .array(textOfLength(1, 98), { minLength: 2, maxLength: 5 })
  .map((bodies) => bodies.map((body, at) => ({ position: at + 1, body: `${at}${body}` })));
const poll = {
  options,
  settings: fc.constantFrom({}, { deadline_at: '2999-01-01T00:00:00Z', allow_multiple_votes: true }),
};
const discussion = {
  body: fc.record({ en: textOfLength(1, 10_000), ar: fc.constant('مرحبا') }, { requiredKeys: ['en'] }),
};
const nothing = fc.constant(undefined);
const place = { stripeMetadata: nothing, isEnrolled: fc.constantFrom(undefined, true, false) };

/** For each operation the whole body, or the fields that the schema does not describe well enough. */
const BODIES: Record<string, fc.Arbitrary<unknown>> = {
  indexEntry: entryEvent,
  reindexEntry: entryEvent,
  setPassword: newPassword,
  translate: translation,
  updateUser: fc.record({ name: textOfLength(1, 100), organization: textOfLength(0, 200) }),
};
const FIELDS: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  classifyTask: { task: fc.oneof(fc.constant('Answer letters from citizens'), textOfLength(1, 300)) },
  analyseJob: { jobTitle: fc.oneof(fc.constantFrom('Policy analyst', 'Nurse'), textOfLength(1, 100)) },
  shareArticle: { title: fc.constant('Read this') },
  shareLessonActivity: { title: fc.constant('Read this') },
  createActivityReaction: { kind: reactionKind },
  createChildReaction: { kind: reactionKind },
  createLessonReaction: { kind: reactionKind },
  createLessonChildReaction: { kind: reactionKind },
  createActivity: { categories: fc.constantFrom([], ['questions']) },
  updateActivity: { categories: fc.constantFrom([], ['questions']) },
  createLessonActivity: discussion,
  updateLessonActivity: discussion,
  createCommunityPoll: poll,
  createPoll: poll,
  createCohort: { type: cohortType },
  updateCohort: { type: cohortType },
  createProfile: { image: fc.constantFrom(null, undefined) },
  updateProfile: { image: fc.constantFrom(null, undefined) },
  confirmMySignUp: { email: UNPROVEN, code: known('code') },
  confirmSignUp: { email: UNPROVEN, code: known('code') },
  confirmLoginLink: { token: fc.constant(new Known('secret', 1)) },
  confirmEmailChange: { token: fc.constant(new Known('secret', 4)) },
  mintToken: {
    id: fc.constant(new Known('user', 0)),
    email: fc.constant(new Known('email', 0)),
    exp: fc.constantFrom(undefined, 4_000_000_000, 253_402_300_799),
    permissions: fc.constantFrom(undefined, { communities: { x: 2, y: 'basic' }, courses: { z: ['read'] } }),
  },
  signIn: { email: fc.constant(new Known('email', 0)) },
  changeEnrolments: { email: nothing },
  updateUserRecord: { email: nothing, role: nothing },
  giveUserProduct: place,
  updateUserProduct: place,
};
/** Callers of operations that the contract's auth alone does not select. */
export const CALLERS_OF: Record<string, Caller[]> = {
  confirmMySignUp: ['unproven'],
  createMyCertificate: ['owner'],
  deleteArticle: ['member'],
  deleteLessonActivity: ['member', 'administrator'],
  deleteLessonReaction: ['member'],
  giveUserProduct: ['administrator'],
  mintToken: ['service'],
  moveConnection: ['member'],
  restoreArticle: ['member'],
  updateActivity: ['member'],
  updateArticle: ['member'],
  updateLessonActivity: ['member'],
  updateLessonReaction: ['member'],
  updateReaction: ['member'],
  updateUserProduct: ['administrator'],
};
const PLACES: Record<string, fc.Arbitrary<unknown>> = {
  courses: known('course'),
  communities: known('community'),
};

/** Makes `slug` mostly fit the `type` beside it. */
function withPlaces(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return value.length === 0 ? fc.constant(value) : fc.tuple(...value.map(withPlaces));
  if (typeof value !== 'object' || value === null || value instanceof Known || value instanceof RawJson)
    return fc.constant(value);
  const entries = Object.entries(value).map(([key, inner]) => [key, withPlaces(inner)] as const);
  const place = PLACES[String((value as Record<string, unknown>)['type'])];
  const fields = Object.fromEntries(entries.map(([key, inner]) => [key, key === 'slug' && place ? place : inner]));
  return fc.record(fields);
}

export function bodyFrom(endpoint: Endpoint, operation: Operation): fc.Arbitrary<unknown> {
  const own = BODIES[endpoint.name];
  if (own) return own;
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return fc.constant(undefined);
  const usual = valueFrom(schema, '').chain(withPlaces);
  const fields = FIELDS[endpoint.name];
  return fields
    ? fc.tuple(usual, fc.record(fields)).map(([body, better]) => ({ ...(body as object), ...better })) // bodies are objects
    : usual;
}
