import { z } from 'zod';
import { Assessment } from './assessment.ts';
import {
  Email,
  EntryId,
  IsDeletedUser,
  LocaleCode,
  limitParam,
  offsetParam,
  Slug,
  text,
  Timestamp,
  Uuid,
} from './common.ts';
import { ARTICLE_TAGS, topicList } from './content.ts';
import { CHECK_RULES } from './content-checks.ts';
import { EDITORIAL_DOCS, EDITORIAL_KINDS } from './editorials.ts';
import { CONTACT_LIMITS } from './course-contacts.ts';
import { CAPABILITIES } from './capabilities.ts';
import { endpoint } from './endpoint.ts';
import { Evaluation } from './evaluation.ts';
import { PriceText } from './price.ts';
import { CertificateMonths } from './renewals.ts';

/** Errors of authoring, with their status. */
export const authoringErrors = {
  'content.changed_meanwhile': { status: 409, message: 'Someone else changed this after you opened it.' },
  'content.parent_not_live': { status: 409, message: 'Publish its parent first.' },
  'content.nothing_to_publish': { status: 409, message: 'There is nothing to publish.' },
  'content.not_live': { status: 409, message: 'This is not published.' },
  'content.not_accessible': { status: 409, message: 'Some texts fail a mandatory accessibility check.' },
  'content.was_live': { status: 409, message: 'Learners have seen this. It can be withdrawn, not deleted.' },
  'content.address_taken': { status: 409, message: 'This address is already in use.' },
  'content.access_fields': {
    status: 403,
    message:
      'Only administrators change who may see or buy this, the courses of an academy and the profiles of contacts.',
  },
  'content.barred': {
    status: 403,
    message: 'An administrator withdrew this. Only administrators publish it again.',
  },
  'content.translations_only': { status: 403, message: 'Translators change only the texts of other languages.' },
  'content.file_missing': { status: 400, message: 'Send one file, named file.' },
  'content.file_type': {
    status: 400,
    message:
      'Files of this type are not accepted. Send MP4, WebM, MP3, M4A, OGG, WAV, VTT, PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, CSV or TXT, without macros.',
  },
  'content.file_too_large': { status: 400, message: 'The file is larger than MAX_MEDIA_MB allows.' },
  'content.quota_reached': {
    status: 413,
    message: 'Your uploads take up the space that one person may use (MEDIA_MB_A_PERSON).',
  },
  'content.storage_full': { status: 413, message: 'The space for uploaded files is used up (MEDIA_MB_TOTAL).' },
  'content.file_used': { status: 409, message: 'A text of the draft contains this file.' },
} as const;

/** Kinds of content that can be edited on the screen. */
export const PIECE_KINDS = [
  ...(['academy', 'course', 'journey', 'lesson', 'microcourse', 'community'] as const),
  ...EDITORIAL_KINDS,
] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];
/** Articles are listed too, but edited by their authors. */
export const LISTED_KINDS = [...PIECE_KINDS, 'article'] as const;
export const PIECE_STATES = ['draft', 'published', 'changed', 'withdrawn'] as const;
export const PIECE_SORTS = ['title', '-title', 'updated', '-updated', 'kind', '-kind'] as const;
/** Kinds with parts that can be listed. */
export const PARENT_KINDS = ['academy', 'course', 'journey'] as const;
export const MAX_OPEN_PARENTS = 30;
export const MAX_JOURNEY_SECTIONS = 8;
/** Days after which an uploaded file that nothing names is deleted. */
export const UNUSED_FILE_DAYS = 7;
export const MAX_LESSON_BYTES = 64 * 1024;

const texts = (max: number, name: string) =>
  z
    .partialRecord(LocaleCode, text({ min: 1, max, name }))
    .describe('Text by language; languages without text are omitted');
const title = texts(200, 'Title').refine((map) => Object.keys(map).length > 0, 'Title is required');
const summary = texts(5000, 'Summary').default({});
const body = z
  .partialRecord(
    LocaleCode,
    z
      .string()
      .refine(
        (value) => new TextEncoder().encode(value).length <= MAX_LESSON_BYTES,
        `Text must have at most ${MAX_LESSON_BYTES} bytes`,
      ),
  )
  .default({})
  .describe('Markdown by language');
const minutes = z.int('Minutes must be a whole number').min(0).max(10_000).default(0);
const cover = {
  cover: z.string().max(1024).nullable().default(null).describe('Path of one of its images'),
  coverAlt: texts(500, 'Alternative text').default({}),
};
const topics = topicList(z.enum(ARTICLE_TAGS)).default([]);
const contacts = z
  .array(
    z.strictObject({
      name: text({ min: 1, max: CONTACT_LIMITS.name, name: 'Name' }),
      role: texts(CONTACT_LIMITS.role, 'Role').default({}),
      email: Email.nullable().default(null).describe('Never shown to learners if an account signs in with it'),
      profile: Uuid.nullable().default(null).describe('User id of a profile on this site'),
    }),
  )
  .max(CONTACT_LIMITS.contacts, `At most ${CONTACT_LIMITS.contacts} contacts`)
  .default([])
  .describe('Who runs the course');
const key = EntryId;

const Academy = z.strictObject({
  kind: z.literal('academy'),
  slug: Slug,
  title,
  description: summary,
  ...cover,
  topics,
  courses: z.array(key).max(500).default([]).describe('Ids of its courses in order'),
});
const Course = z.strictObject({
  kind: z.literal('course'),
  slug: Slug,
  type: z.enum(['Public', 'Private']).default('Private'),
  title,
  summary,
  ...cover,
  topics,
  contacts,
  humanTranslation: z.boolean().default(true),
  body: body.describe(
    'Question bank by language, as Markdown with `:::quiz` blocks; assessments of its lessons draw from it',
  ),
});
const Journey = z.strictObject({
  kind: z.literal('journey'),
  slug: Slug,
  title,
  description: summary,
  privacy: z
    .enum(['open-public', 'open-private', 'closed-public', 'closed-private', 'stripe-public', 'stripe-private'])
    .default('closed-private'),
  price: PriceText.nullable().default(null).describe('Of a paid journey; null: it cannot be bought here'),
  sections: z
    .array(z.strictObject({ heading: texts(200, 'Heading'), lessons: z.array(key).max(200) }))
    .max(MAX_JOURNEY_SECTIONS, `At most ${MAX_JOURNEY_SECTIONS} sections`)
    .default([])
    .describe('Sections with lesson keys; each lesson appears once'),
  certificateMonths: CertificateMonths.default(null),
  evaluation: Evaluation.default([]).describe('What those who completed it are asked; empty: nothing'),
});
const Lesson = z.strictObject({
  kind: z.literal('lesson'),
  slug: Slug,
  title,
  minutes,
  mandatory: z.boolean().default(true),
  discussion: texts(5000, 'Question').default({}),
  assessment: Assessment.nullable().default(null).describe('null: reading completes the lesson'),
  body,
});
const Microcourse = z.strictObject({
  kind: z.literal('microcourse'),
  slug: Slug,
  title,
  summary,
  minutes,
  humanTranslation: z.boolean().default(true),
  ...cover,
  topics,
  body,
});
const Community = z.strictObject({
  kind: z.literal('community'),
  slug: Slug,
  title,
  description: summary,
  privacy: z.enum(['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden']).default('closed-hidden'),
  locale: LocaleCode.default('en'),
  categories: z
    .array(text({ min: 1, max: 64, name: 'Topic' }))
    .max(100)
    .default([]),
  ...cover,
});

/** A piece of content without its parts: a course without its journeys. */
export const PieceDoc = z
  .discriminatedUnion('kind', [Academy, Course, Journey, Lesson, Microcourse, Community, ...EDITORIAL_DOCS])
  .meta({ id: 'PieceDoc' });
export type PieceDoc = z.output<typeof PieceDoc>;

export const PieceParams = z.object({
  kind: z.enum(PIECE_KINDS),
  key: key.describe('Entry id; for a journey or lesson, its own key'),
});
const version = z.int().min(1).describe('The version the change is based on; any other version is 409');
const Versioned = z.object({ version });

const LiveState = z.enum(PIECE_STATES).describe('changed: published, with an unpublished draft');
const Part = z.object({
  kind: z.enum(PIECE_KINDS),
  key: z.string(),
  slug: z.string(),
  title: z.partialRecord(LocaleCode, z.string()),
  state: LiveState,
  minutes: z.int().optional().describe('Of a lesson in its journey'),
  mandatory: z.boolean().optional().describe('Of a lesson in its journey'),
});
export type PiecePart = z.output<typeof Part>;

export const ContentFinding = z.object({
  locale: LocaleCode,
  rule: z.enum(CHECK_RULES),
  line: z.int(),
  text: z.string(),
  severity: z.enum(['must', 'should']).describe('must: blocks publication of the language · should: a recommendation'),
});

export const MEDIA_KINDS = ['video', 'audio', 'captions', 'file'] as const;
export const PieceFile = z.object({
  path: z.string().describe('Use it in the text'),
  url: z.string().describe('Works for two days'),
  kind: z.enum(MEDIA_KINDS),
  bytes: z.int(),
});
export type PieceFile = z.output<typeof PieceFile>;

export const Piece = z
  .object({
    kind: z.enum(PIECE_KINDS),
    key: z.string(),
    version: z.int().describe('0: never edited on the screen'),
    state: LiveState,
    hasDraft: z.boolean(),
    doc: PieceDoc,
    sourceLocale: LocaleCode,
    textsChangedAt: z.partialRecord(LocaleCode, Timestamp).describe('Last change on the screen, by language'),
    changed: z.object({ at: Timestamp, by: z.string().nullable(), isPersonDeleted: IsDeletedUser }).nullable(),
    origin: z.enum(['folder', 'export', 'webhook', 'authoring']).describe('Original source'),
    isBarred: z.boolean().describe('An administrator withdrew it: only administrators publish it again'),
    isReplaced: z.boolean().describe('An import has replaced the version last published on the screen'),
    productId: z.string().nullable(),
    address: z.string().nullable().describe('Page address, when published'),
    parents: z.array(Part).describe('Parents, starting with the course'),
    parts: z.array(Part).describe('Journeys of a course or lessons of a journey, including unplaced ones'),
    courses: z
      .array(Part)
      .describe(
        'For an academy: every existing course; for callers with a role its own courses, with those begun in it',
      ),
    pictures: z.array(z.object({ path: z.string(), url: z.string() })),
    files: z.array(PieceFile).describe('Recordings, captions and other files'),
    maxFileBytes: z.int().describe('Size of the largest file that may be uploaded'),
    findings: z.array(ContentFinding),
    capabilities: z
      .array(z.enum(CAPABILITIES))
      .optional()
      .describe('What the roles of the caller allow here; omitted for administrators, who may do everything'),
  })
  .meta({ id: 'Piece' });
export type Piece = z.output<typeof Piece>;

const NamedParent = z.object({ key: z.string(), title: z.partialRecord(LocaleCode, z.string()) }).nullable();

const parentOf = new RegExp(`^(${PARENT_KINDS.join('|')}):[A-Za-z0-9._-]{1,64}$`);
const Under = z
  .string()
  .max(4000)
  .transform((value) => value.split(','))
  .refine(
    (all) => (all.length === 1 && all[0] === 'top') || all.every((one) => parentOf.test(one)),
    'Must be top, or parents as kind:key, separated by commas',
  )
  .refine((all) => all.length <= MAX_OPEN_PARENTS, `Must be at most ${MAX_OPEN_PARENTS} parents`)
  .meta({
    type: 'string',
    description: '`top`, or academies, courses and journeys as `kind:key`, separated by commas',
  });

/** How often an open editor says so, and how long a person is listed who no longer does. */
export const WRITER_EVERY_SECONDS = 20;
export const WRITER_SECONDS = 50;

const common = { service: 'content', auth: 'admin', extension: true } as const;
const AT = '/authoring/{kind}/pieces/{key}';

export const listPieces = endpoint({
  ...common,
  name: 'listPieces',
  method: 'GET',
  path: '/authoring',
  capability: 'read-content',
  summary: 'List all content, including drafts and withdrawn pieces',
  description:
    'Callers with a role see only what belongs to their academies and courses. With `under`, lists a level of the tree in its own order, ignoring `sort`: academies, courses without an academy and everything without parts, or the direct parts of some pieces. `continuationToken` continues after the last piece of a page with the same query; an invalid token is 400.',
  query: z.object({
    kind: z.enum(LISTED_KINDS).optional(),
    state: z.enum(PIECE_STATES).optional(),
    language: LocaleCode.optional().describe('Only pieces with a text in this language'),
    missing: LocaleCode.optional().describe('Only pieces without a text in this language'),
    under: Under.optional(),
    q: z.string().trim().max(200).optional().describe('Search in titles and slugs'),
    sort: z.enum(PIECE_SORTS).default('-updated'),
    limit: limitParam(50).describe('With several parents in `under`: for each of them'),
    offset: offsetParam(),
    continuationToken: z.string().max(2000, 'The continuation token is not valid').optional(),
  }),
  replies: {
    200: z.object({
      pieces: z.array(
        z.object({
          kind: z.enum(LISTED_KINDS),
          key: z.string().describe('For an article, its slug'),
          slug: z.string(),
          title: z.partialRecord(LocaleCode, z.string()),
          state: LiveState,
          languages: z.array(LocaleCode),
          updatedAt: Timestamp,
          course: NamedParent.describe('The course of a journey or lesson'),
          journey: NamedParent.describe('The journey of a lesson'),
          under: z.string().nullable().describe('The element of `under` it is listed for'),
          section: z
            .object({ number: z.int(), heading: z.partialRecord(LocaleCode, z.string()) })
            .nullable()
            .describe('The section of a lesson in the outline, when listed under its journey; null: in no section'),
          parts: z.int().describe('Number of direct parts'),
        }),
      ),
      total: z.int(),
      continuationToken: z.string().optional(),
    }),
  },
});

export const createPiece = endpoint({
  ...common,
  name: 'createPiece',
  method: 'POST',
  path: '/authoring',
  capability: 'edit-content',
  summary: 'Create a piece of content as a draft',
  description:
    "Creates its entry at once and, except for lessons, registers it as a private product. A lesson is added at the end of a section of its journey's draft. A course with an academy as its parent becomes one of its courses when it is published. Callers with a role create only inside their places: journeys, lessons, and courses of an academy.",
  body: z.strictObject({
    kind: z.enum(PIECE_KINDS),
    title: text({ min: 1, max: 200, name: 'Title' }),
    slug: Slug.optional().describe('Made from the title when absent, in ASCII letters'),
    sourceLocale: LocaleCode.default('en'),
    parent: key.optional().describe('The course of a journey, the journey of a lesson, or the academy of a course'),
    section: z
      .int()
      .min(0)
      .max(MAX_JOURNEY_SECTIONS - 1)
      .default(0),
  }),
  replies: { 201: z.object({ kind: z.enum(PIECE_KINDS), key: z.string(), version: z.int() }) },
  errors: ['content.address_taken', 'content.parent_not_live', 'request.not_found'],
});

export const readPiece = endpoint({
  ...common,
  name: 'readPiece',
  method: 'GET',
  path: AT,
  capability: 'read-content',
  summary: 'Read a piece of content: its draft, else the live version',
  params: PieceParams,
  replies: { 200: Piece },
  errors: ['request.not_found'],
});

export const savePiece = endpoint({
  ...common,
  name: 'savePiece',
  method: 'PUT',
  path: AT,
  capability: 'translate-content',
  summary: 'Save a draft without changing what learners see',
  description:
    'Translators change only the texts in other languages than the source language. Only administrators change the type of a course, the privacy and price of a journey, the courses of an academy, and add profiles of contacts.',
  params: PieceParams,
  body: z.strictObject({ version: z.int().min(0), doc: PieceDoc, sourceLocale: LocaleCode.optional() }),
  bodyLimit: 4 * 1024 * 1024,
  replies: { 200: Versioned },
  errors: [
    'request.not_found',
    'content.changed_meanwhile',
    'content.address_taken',
    'content.access_fields',
    'content.translations_only',
  ],
});

export const uploadPiecePicture = endpoint({
  ...common,
  name: 'uploadPiecePicture',
  method: 'POST',
  path: `${AT}/pictures`,
  capability: 'edit-content',
  summary: 'Upload an image to a draft (multipart)',
  description:
    'One part named `file`: JPEG, PNG, WebP or GIF (first frame), at most 5 MiB and 25 megapixels. Stored as WebP of at most 1600 pixels without metadata. Use the returned path in the text or as the cover. Limited per account (429). A draft lists 500 files; beyond, the oldest unused ones leave it.',
  params: PieceParams,
  upload: 'file',
  replies: {
    201: z.object({ path: z.string(), url: z.string(), width: z.int(), height: z.int(), version: z.int() }),
  },
  errors: ['request.not_found', 'assets.bad_image', 'content.quota_reached', 'content.storage_full'],
});

export const uploadPieceFile = endpoint({
  ...common,
  name: 'uploadPieceFile',
  method: 'POST',
  path: `${AT}/files`,
  capability: 'edit-content',
  summary: 'Upload a recording, captions or a document to a draft (multipart)',
  description: `One part named \`file\`, streamed, of at most MAX_MEDIA_MB: MP4, WebM, MP3, M4A, OGG, WAV, WebVTT, PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, CSV or TXT. The content decides the type. Use the returned path in the text. Kinds without text blocks take no files (404). Limited per account, in number and at once (429), and in space, also of the installation (413, before the file is read). A file that no text, draft or version names is deleted ${UNUSED_FILE_DAYS} days after its last upload.`,
  params: PieceParams,
  upload: 'file',
  replies: { 201: PieceFile.extend({ version: z.int() }) },
  errors: [
    'request.not_found',
    'content.file_missing',
    'content.file_type',
    'content.file_too_large',
    'content.quota_reached',
    'content.storage_full',
  ],
});

export const removePieceFile = endpoint({
  ...common,
  name: 'removePieceFile',
  method: 'POST',
  path: `${AT}/remove-file`,
  capability: 'edit-content',
  summary: 'Remove a file from a draft that no text contains',
  params: PieceParams,
  body: z.strictObject({ version, path: z.string().max(1024) }),
  replies: { 200: Versioned },
  errors: ['request.not_found', 'content.changed_meanwhile', 'content.file_used'],
});

export const discardDraft = endpoint({
  ...common,
  name: 'discardDraft',
  method: 'POST',
  path: `${AT}/discard`,
  capability: 'edit-content',
  summary: 'Discard the draft, keeping it among the versions',
  description: 'The last 50 discarded drafts of a piece are kept.',
  params: PieceParams,
  body: z.strictObject({ version }),
  replies: { 200: Versioned },
  errors: ['request.not_found', 'content.changed_meanwhile', 'content.not_live'],
});

export const deletePiece = endpoint({
  ...common,
  name: 'deletePiece',
  method: 'POST',
  path: `${AT}/delete`,
  capability: 'edit-content',
  summary: 'Delete a never-published draft with the drafts that belong to it',
  params: PieceParams,
  body: z.strictObject({ version }),
  replies: { 204: null },
  errors: ['request.not_found', 'content.changed_meanwhile', 'content.was_live'],
});

export const orderJourneys = endpoint({
  ...common,
  name: 'orderJourneys',
  method: 'PUT',
  path: '/authoring/course/pieces/{key}/journeys',
  capability: 'publish-content',
  summary: "Set the order of a course's journeys",
  description:
    'Takes effect at once. `journeys` must name every journey that was ever published, including withdrawn ones, exactly once; 409 if the set has changed. Drafts are added at the end when they are published.',
  params: z.object({ key }),
  body: z.strictObject({ journeys: z.array(Uuid).max(500) }),
  replies: { 204: null },
  errors: ['request.not_found', 'content.changed_meanwhile'],
});

const OWNERS = '/authoring/community/pieces/{key}/owners';

export const CommunityOwner = z
  .object({
    email: Email,
    name: z.string().nullable().describe('null: no account has this address yet; it becomes an owner once it has one'),
    userId: Uuid.nullable(),
  })
  .meta({ id: 'CommunityOwner' });
export type CommunityOwner = z.output<typeof CommunityOwner>;

export const listCommunityOwners = endpoint({
  ...common,
  name: 'listCommunityOwners',
  method: 'GET',
  path: OWNERS,
  summary: 'List the owners of a community, including invited addresses',
  params: z.object({ key }),
  replies: { 200: z.object({ owners: z.array(CommunityOwner) }) },
  errors: ['request.not_found'],
});

export const nameCommunityOwner = endpoint({
  ...common,
  name: 'nameCommunityOwner',
  method: 'POST',
  path: OWNERS,
  summary: 'Make someone an owner of a community by e-mail address',
  description:
    'Takes effect at once if an account has the address, otherwise when one is created. Repeating the request changes nothing.',
  params: z.object({ key }),
  body: z.strictObject({ email: Email }),
  replies: { 201: z.object({ owners: z.array(CommunityOwner) }) },
  errors: ['request.not_found', 'content.not_live'],
});

export const removeCommunityOwner = endpoint({
  ...common,
  name: 'removeCommunityOwner',
  method: 'DELETE',
  path: `${OWNERS}/{email}`,
  summary: 'Make an owner a member, or cancel a pending ownership',
  params: z.object({ key, email: Email }),
  replies: { 204: null },
  errors: ['request.not_found', 'community.last_owner'],
});

export const publishPiece = endpoint({
  ...common,
  name: 'publishPiece',
  method: 'POST',
  path: `${AT}/publish`,
  capability: 'publish-content',
  summary: 'Publish a draft',
  description:
    'Runs in one transaction. A journey is published with its never-published lessons; `withParts` also publishes the new journeys of a course. A language whose text fails a mandatory check is refused (409), or stays unchanged with `holdBack`. Lessons removed from a journey are withdrawn; their completions stay. Only administrators publish drafts that change who may see or buy something, the courses of an academy or the profiles of contacts, and pieces that an administrator withdrew (403).',
  params: PieceParams,
  body: z.strictObject({
    version: z.int().min(0),
    withParts: z.boolean().default(false),
    holdBack: z.boolean().default(false),
  }),
  replies: {
    200: z.object({
      version: z.int(),
      number: z.int().describe('Number of the live version'),
      heldBack: z.array(LocaleCode),
      published: z.int().describe('Number of published pieces'),
    }),
  },
  errors: [
    'request.not_found',
    'content.changed_meanwhile',
    'content.parent_not_live',
    'content.nothing_to_publish',
    'content.not_accessible',
    'content.address_taken',
    'content.access_fields',
    'content.barred',
  ],
});

export const withdrawPiece = endpoint({
  ...common,
  name: 'withdrawPiece',
  method: 'POST',
  path: `${AT}/withdraw`,
  capability: 'publish-content',
  summary: 'Withdraw a published piece',
  description:
    'Learners no longer see it; completions and certificates stay. Publishing shows it again. What an administrator withdrew, also after somebody else did, only administrators publish again.',
  params: PieceParams,
  body: z.strictObject({ version: z.int().min(0) }),
  replies: { 200: Versioned },
  errors: ['request.not_found', 'content.changed_meanwhile', 'content.not_live'],
});

export const listPieceVersions = endpoint({
  ...common,
  name: 'listPieceVersions',
  method: 'GET',
  path: `${AT}/versions`,
  capability: 'read-content',
  summary: 'List earlier live versions and discarded drafts, newest first',
  params: PieceParams,
  query: z.object({ limit: limitParam(50), offset: offsetParam() }),
  replies: {
    200: z.object({
      versions: z.array(
        z.object({
          number: z.int(),
          source: z
            .enum(['authoring', 'import', 'draft'])
            .describe('authoring: published on the screen · import: state left by an import · draft: discarded draft'),
          by: z.string().nullable(),
          isPersonDeleted: IsDeletedUser,
          at: Timestamp,
        }),
      ),
      total: z.int(),
    }),
  },
  errors: ['request.not_found'],
});

const VersionNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'Must be the number of a version')
  .transform(Number);
const Side = z
  .union([z.enum(['draft', 'live']), VersionNumber])
  .describe('A version number, or the current draft or live version');

export const comparePiece = endpoint({
  ...common,
  name: 'comparePiece',
  method: 'GET',
  path: `${AT}/changes`,
  capability: 'read-content',
  summary: 'Compare two versions line by line',
  params: PieceParams,
  query: z.object({ from: Side, to: Side.default('draft') }),
  replies: {
    200: z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          locale: LocaleCode.nullable(),
          lines: z.array(z.object({ kind: z.enum(['same', 'added', 'removed', 'skipped']), text: z.string() })),
          isCut: z
            .literal(true)
            .optional()
            .describe('Too much differs to compare or show all of it: these are the first lines'),
        }),
      ),
    }),
  },
  errors: ['request.not_found'],
});

export const restorePieceVersion = endpoint({
  ...common,
  name: 'restorePieceVersion',
  method: 'POST',
  path: `${AT}/versions/{number}/restore`,
  capability: 'publish-content',
  summary: 'Copy an old version into the draft',
  description:
    'Restored by a role, it keeps who may see and buy it, the courses of an academy and the contacts as they are now. It keeps its present address if another piece has taken the old one.',
  params: PieceParams.extend({ number: VersionNumber }),
  body: z.strictObject({ version }),
  replies: { 200: Versioned },
  errors: ['request.not_found', 'content.changed_meanwhile'],
});

export const noteWriter = endpoint({
  ...common,
  name: 'noteWriter',
  method: 'POST',
  path: `${AT}/writers`,
  capability: 'translate-content',
  summary: 'Say that I have a piece open, and list who else has',
  description: `Call it again every ${WRITER_EVERY_SECONDS} seconds while the piece is open. A person who has not called for ${WRITER_SECONDS} seconds is no longer listed. \`version\` is that of the draft now.`,
  params: PieceParams,
  replies: {
    200: z.object({
      version: z.int(),
      writers: z.array(z.object({ name: z.string(), since: Timestamp })).describe('Others, the first to open it first'),
    }),
  },
  errors: ['request.not_found'],
});

export const previewPiece = endpoint({
  ...common,
  name: 'previewPiece',
  method: 'GET',
  path: `${AT}/preview`,
  capability: 'read-content',
  summary: 'Preview the draft as learners would see it',
  params: PieceParams,
  query: z.object({ locale: LocaleCode.optional() }),
  replies: {
    200: z.object({
      title: z.string(),
      summary: z.string(),
      shownLocale: LocaleCode,
      locales: z.array(LocaleCode),
      html: z.string().nullable(),
      minutes: z.int().nullable(),
      cover: z.object({ url: z.string(), alt: z.string() }).nullable(),
      sections: z.array(z.object({ heading: z.string(), lessons: z.array(z.string()) })),
    }),
  },
  errors: ['request.not_found'],
});
