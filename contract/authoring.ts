import { z } from 'zod';
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
import { CHECK_RULES } from './content-checks.ts';
import { endpoint } from './endpoint.ts';

/** Reasons authoring refuses a request, with their status. */
export const authoringErrors = {
  'content.changed_meanwhile': { status: 409, message: 'Somebody else has changed this since you opened it.' },
  'content.parent_not_live': { status: 409, message: 'Publish what this belongs to first.' },
  'content.nothing_to_publish': { status: 409, message: 'There is nothing to publish.' },
  'content.not_live': { status: 409, message: 'Learners do not see this.' },
  'content.not_accessible': { status: 409, message: 'Some of the text cannot be read by everyone yet.' },
  'content.was_live': { status: 409, message: 'Learners have seen this. It can be withdrawn, not deleted.' },
  'content.address_taken': { status: 409, message: 'Something else has this address already.' },
} as const;

/** What can be written on the screen. */
export const PIECE_KINDS = ['academy', 'course', 'journey', 'lesson', 'microcourse', 'community'] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];
/** Articles are listed, and written by their authors. */
export const LISTED_KINDS = [...PIECE_KINDS, 'article'] as const;
export const PIECE_STATES = ['draft', 'published', 'changed', 'withdrawn'] as const;
export const PIECE_SORTS = ['title', '-title', 'updated', '-updated', 'kind', '-kind'] as const;
export const MAX_JOURNEY_SECTIONS = 8;
export const MAX_LESSON_BYTES = 64 * 1024;

const texts = (max: number, name: string) =>
  z
    .partialRecord(LocaleCode, text({ min: 1, max, name }))
    .describe('A text by language; a language without one is left out');
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
  cover: z.string().max(1024).nullable().default(null).describe('The path of one of its pictures'),
  coverAlt: texts(500, 'Alternative text').default({}),
};
const key = EntryId;

const Academy = z.strictObject({
  kind: z.literal('academy'),
  slug: Slug,
  title,
  description: summary,
  ...cover,
  courses: z.array(key).max(500).default([]).describe('The ids of its courses, in order'),
});
const Course = z.strictObject({
  kind: z.literal('course'),
  slug: Slug,
  type: z.enum(['Public', 'Private']).default('Private'),
  title,
  summary,
  ...cover,
  humanTranslation: z.boolean().default(true),
});
const Journey = z.strictObject({
  kind: z.literal('journey'),
  slug: Slug,
  title,
  description: summary,
  privacy: z
    .enum(['open-public', 'open-private', 'closed-public', 'closed-private', 'stripe-public', 'stripe-private'])
    .default('closed-private'),
  sections: z
    .array(z.strictObject({ heading: texts(200, 'Heading'), lessons: z.array(key).max(200) }))
    .max(MAX_JOURNEY_SECTIONS, `At most ${MAX_JOURNEY_SECTIONS} sections`)
    .default([])
    .describe('Lessons by their keys, each once'),
});
const Lesson = z.strictObject({
  kind: z.literal('lesson'),
  slug: Slug,
  title,
  minutes,
  mandatory: z.boolean().default(true),
  discussion: texts(5000, 'Question').default({}),
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

/** A piece of content as it is written, without what belongs to it: a course without its journeys. */
export const PieceDoc = z
  .discriminatedUnion('kind', [Academy, Course, Journey, Lesson, Microcourse, Community])
  .meta({ id: 'PieceDoc' });
export type PieceDoc = z.output<typeof PieceDoc>;

const PieceParams = z.object({
  kind: z.enum(PIECE_KINDS),
  key: key.describe('The id of its entry; of a journey or lesson its own key'),
});
const version = z.int().min(1).describe('The version that was seen; another one is 409');
const Versioned = z.object({ version });

const LiveState = z.enum(PIECE_STATES).describe('changed: published, with a draft that is not');
const Part = z.object({
  kind: z.enum(PIECE_KINDS),
  key: z.string(),
  slug: z.string(),
  title: z.partialRecord(LocaleCode, z.string()),
  state: LiveState,
});
export type PiecePart = z.output<typeof Part>;

export const ContentFinding = z.object({
  locale: LocaleCode,
  rule: z.enum(CHECK_RULES),
  line: z.int(),
  text: z.string(),
  severity: z.enum(['must', 'should']).describe('must: that language is not published until it is mended'),
});

export const Piece = z
  .object({
    kind: z.enum(PIECE_KINDS),
    key: z.string(),
    version: z.int().describe('0: never changed here'),
    state: LiveState,
    hasDraft: z.boolean(),
    doc: PieceDoc,
    sourceLocale: LocaleCode,
    textsChangedAt: z.partialRecord(LocaleCode, Timestamp).describe('When the texts of a language last changed here'),
    changed: z.object({ at: Timestamp, by: z.string().nullable(), isPersonDeleted: IsDeletedUser }).nullable(),
    origin: z.enum(['folder', 'export', 'webhook', 'authoring']).describe('Where it came from at first'),
    isReplaced: z.boolean().describe('An import has replaced what was last published here'),
    productId: z.string().nullable(),
    address: z.string().nullable().describe('Where learners read it, when they do'),
    parents: z.array(Part).describe('From the course down'),
    parts: z.array(Part).describe('Journeys of a course, lessons of a journey, also those that are not placed'),
    courses: z.array(Part).describe('Of an academy: every course there is'),
    pictures: z.array(z.object({ path: z.string(), url: z.string() })),
    findings: z.array(ContentFinding),
  })
  .meta({ id: 'Piece' });
export type Piece = z.output<typeof Piece>;

const common = { service: 'content', auth: 'admin', extension: true } as const;
const AT = '/authoring/{kind}/pieces/{key}';

export const listPieces = endpoint({
  ...common,
  name: 'listPieces',
  method: 'GET',
  path: '/authoring',
  summary: 'all content there is, drafts and withdrawn pieces included',
  query: z.object({
    kind: z.enum(LISTED_KINDS).optional(),
    state: z.enum(PIECE_STATES).optional(),
    language: LocaleCode.optional(),
    q: z.string().trim().max(200).optional().describe('In titles and slugs'),
    sort: z.enum(PIECE_SORTS).default('-updated'),
    limit: limitParam(50),
    offset: offsetParam(),
  }),
  replies: {
    200: z.object({
      pieces: z.array(
        z.object({
          kind: z.enum(LISTED_KINDS),
          key: z.string().describe('Of an article, its slug'),
          slug: z.string(),
          title: z.partialRecord(LocaleCode, z.string()),
          state: LiveState,
          languages: z.array(LocaleCode),
          updatedAt: Timestamp,
        }),
      ),
      total: z.int(),
    }),
  },
});

export const createPiece = endpoint({
  ...common,
  name: 'createPiece',
  method: 'POST',
  path: '/authoring',
  summary: 'begin a piece of content, as a draft',
  description:
    'Its entry is made at once and, but for lessons, registered as a product that is private. A lesson is placed at the end of a section of its journey’s draft.',
  body: z.strictObject({
    kind: z.enum(PIECE_KINDS),
    title: text({ min: 1, max: 200, name: 'Title' }),
    slug: Slug,
    sourceLocale: LocaleCode.default('en'),
    parent: key.optional().describe('Of a journey its course, of a lesson its journey'),
    section: z
      .int()
      .min(0)
      .max(MAX_JOURNEY_SECTIONS - 1)
      .default(0),
  }),
  replies: { 201: z.object({ kind: z.enum(PIECE_KINDS), key: z.string(), version: z.int() }) },
  errors: ['content.address_taken', 'request.not_found'],
});

export const readPiece = endpoint({
  ...common,
  name: 'readPiece',
  method: 'GET',
  path: AT,
  summary: 'a piece of content as it is being written: its draft, else what is live',
  params: PieceParams,
  replies: { 200: Piece },
  errors: ['request.not_found'],
});

export const savePiece = endpoint({
  ...common,
  name: 'savePiece',
  method: 'PUT',
  path: AT,
  summary: 'keep a draft; learners go on reading what is live',
  params: PieceParams,
  body: z.strictObject({ version: z.int().min(0), doc: PieceDoc, sourceLocale: LocaleCode.optional() }),
  bodyLimit: 4 * 1024 * 1024,
  replies: { 200: Versioned },
  errors: ['request.not_found', 'content.changed_meanwhile', 'content.address_taken'],
});

export const uploadPiecePicture = endpoint({
  ...common,
  name: 'uploadPiecePicture',
  method: 'POST',
  path: `${AT}/pictures`,
  summary: 'add a picture to a draft (multipart)',
  description:
    'One part named `file`: JPEG, PNG, WebP or GIF (its first frame), at most 5 MiB and 25 megapixels. It is kept as WebP of at most 1600 pixels without metadata. Name its path in the text, or as the cover.',
  params: PieceParams,
  upload: 'file',
  replies: {
    201: z.object({ path: z.string(), url: z.string(), width: z.int(), height: z.int(), version: z.int() }),
  },
  errors: ['request.not_found', 'assets.bad_image'],
});

export const discardDraft = endpoint({
  ...common,
  name: 'discardDraft',
  method: 'POST',
  path: `${AT}/discard`,
  summary: 'put the draft aside; it stays among the versions',
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
  summary: 'delete a draft that learners have never seen, with the drafts that belong to it',
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
  summary: 'the order of the journeys of a course, at once for everybody',
  description:
    'Names every journey that was published, once, withdrawn ones too; 409 when there are others by now. Drafts come last when they are published.',
  params: z.object({ key }),
  body: z.strictObject({ journeys: z.array(Uuid).max(500) }),
  replies: { 204: null },
  errors: ['request.not_found', 'content.changed_meanwhile'],
});

const OWNERS = '/authoring/community/pieces/{key}/owners';

export const CommunityOwner = z
  .object({
    email: Email,
    name: z.string().nullable().describe('null: there is no account with this address yet; it becomes one with it'),
    userId: Uuid.nullable(),
  })
  .meta({ id: 'CommunityOwner' });
export type CommunityOwner = z.output<typeof CommunityOwner>;

export const listCommunityOwners = endpoint({
  ...common,
  name: 'listCommunityOwners',
  method: 'GET',
  path: OWNERS,
  summary: 'who owns a community, and who will with their account',
  params: z.object({ key }),
  replies: { 200: z.object({ owners: z.array(CommunityOwner) }) },
  errors: ['request.not_found'],
});

export const nameCommunityOwner = endpoint({
  ...common,
  name: 'nameCommunityOwner',
  method: 'POST',
  path: OWNERS,
  summary: 'make somebody an owner of a community by their address',
  description:
    'At once where the address is that of an account, else when it becomes one. Naming an owner again changes nothing.',
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
  summary: 'make an owner a member again, or take back that an address becomes one',
  params: z.object({ key, email: Email }),
  replies: { 204: null },
  errors: ['request.not_found', 'community.last_owner'],
});

export const publishPiece = endpoint({
  ...common,
  name: 'publishPiece',
  method: 'POST',
  path: `${AT}/publish`,
  summary: 'make a draft what learners read, in one transaction',
  description:
    'With a journey go the lessons in it that were never live; `withParts` sends the new journeys of a course along, too. A language whose text breaks a rule that must be kept is refused (409), or stays as it is with `holdBack`. Lessons that are no longer in a journey are withdrawn; who finished them keeps that.',
  params: PieceParams,
  body: z.strictObject({
    version: z.int().min(0),
    withParts: z.boolean().default(false),
    holdBack: z.boolean().default(false),
  }),
  replies: {
    200: z.object({
      version: z.int(),
      number: z.int().describe('Of the version that is live now'),
      heldBack: z.array(LocaleCode),
      published: z.int().describe('How many pieces'),
    }),
  },
  errors: [
    'request.not_found',
    'content.changed_meanwhile',
    'content.parent_not_live',
    'content.nothing_to_publish',
    'content.not_accessible',
    'content.address_taken',
  ],
});

export const withdrawPiece = endpoint({
  ...common,
  name: 'withdrawPiece',
  method: 'POST',
  path: `${AT}/withdraw`,
  summary: 'hide from learners what is live',
  description: 'What people finished and hold stays. Publishing shows it again.',
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
  summary: 'what was live and what was put aside, newest first',
  params: PieceParams,
  query: z.object({ limit: limitParam(50), offset: offsetParam() }),
  replies: {
    200: z.object({
      versions: z.array(
        z.object({
          number: z.int(),
          source: z
            .enum(['authoring', 'import', 'draft'])
            .describe('authoring: published here; import: found as an import had left it; draft: put aside'),
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
const Side = z.union([z.enum(['draft', 'live']), VersionNumber]).describe('The number of a version, or what is now');

export const comparePiece = endpoint({
  ...common,
  name: 'comparePiece',
  method: 'GET',
  path: `${AT}/changes`,
  summary: 'what changed between two versions, line by line',
  params: PieceParams,
  query: z.object({ from: Side, to: Side.default('draft') }),
  replies: {
    200: z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          locale: LocaleCode.nullable(),
          lines: z.array(z.object({ kind: z.enum(['same', 'added', 'removed', 'skipped']), text: z.string() })),
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
  summary: 'make an old version the draft',
  params: PieceParams.extend({ number: VersionNumber }),
  body: z.strictObject({ version }),
  replies: { 200: Versioned },
  errors: ['request.not_found', 'content.changed_meanwhile'],
});

export const previewPiece = endpoint({
  ...common,
  name: 'previewPiece',
  method: 'GET',
  path: `${AT}/preview`,
  summary: 'the draft as learners would see it',
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
