import { z } from 'zod';
import { PIECE_KINDS } from './authoring.ts';
import { IsDeletedUser, limitParam, LocaleCode, offsetParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// The content folder (see the README of content) as a ZIP: out, and in again.

/** Reasons a ZIP is refused, with their status. */
export const contentFolderErrors = {
  'content.zip_unreadable': { status: 400, message: 'The file is no ZIP that can be read.' },
  'content.zip_too_large': {
    status: 413,
    message: 'The ZIP is too large: at most 32 MB, 256 MB unpacked and 10 000 files of 10 MB.',
  },
  'content.zip_unsafe_name': { status: 400, message: 'A name in the ZIP is a link or leads out of it.' },
  'content.zip_repeated_name': { status: 400, message: 'Two files of the ZIP have the same name.' },
  'content.zip_encrypted': { status: 400, message: 'The ZIP is encrypted.' },
  'content.zip_wrong_file': { status: 400, message: 'The ZIP holds a file that is neither text nor picture.' },
  'content.zip_bad_picture': { status: 400, message: 'A file of the ZIP is not the picture its name says.' },
  'content.zip_no_content': { status: 400, message: 'There is no content.yaml in the ZIP.' },
  'content.import_not_ready': { status: 409, message: 'This import does not wait to be begun.' },
} as const;

export const MAX_ZIP_BYTES = 32 * 1024 * 1024;
/** How long a ZIP that was checked waits to be imported. */
export const IMPORT_HOURS = 24;
/** So long is told what an import did. */
export const IMPORT_DAYS = 90;
/** Of what an import changes, and of what is wrong, no more is listed. */
export const MAX_IMPORT_LINES = 1000;

export const IMPORT_STATES = ['checking', 'checked', 'refused', 'importing', 'done', 'failed', 'expired'] as const;
export const IMPORT_STEPS = ['waiting', 'unpacking', 'reading', 'writing'] as const;
export const IMPORT_OUTCOMES = ['added', 'changed', 'withdrawn'] as const;

const Count = z.int().min(0);
const Finding = z.object({
  file: z.string(),
  line: z.int().min(1),
  field: z.string().describe('Like courses[0].title.en; empty for the file as a whole'),
  message: z.string().describe('In English, as the command line says it'),
});

const Summary = z.object({ added: Count, changed: Count, unchanged: Count, withdrawn: Count });

const Short = {
  id: Uuid,
  name: z.string().describe('Of the file'),
  bytes: Count,
  files: Count,
  state: z
    .enum(IMPORT_STATES)
    .describe(
      'checking: what it would do is being found out · checked: it waits to be begun · refused: something in it is wrong · importing · done · failed: nothing was changed · expired: it was not begun in time',
    ),
  summary: Summary.nullable().describe('What it would do, once it is done what it did'),
  by: z.string().nullable().describe('The name of who sent it'),
  isPersonDeleted: IsDeletedUser,
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable(),
};

export const ContentImport = z
  .object({
    ...Short,
    progress: z.object({ step: z.enum(IMPORT_STEPS), done: Count, total: Count }),
    expiresAt: Timestamp.describe('Until then it can be begun'),
    items: z
      .array(
        z.object({
          kind: z.enum(PIECE_KINDS),
          key: z.string().describe('For authoring; of what would be added it is not there yet'),
          title: z.partialRecord(LocaleCode, z.string()),
          outcome: z.enum(IMPORT_OUTCOMES),
        }),
      )
      .describe(`What is not unchanged; the first ${MAX_IMPORT_LINES}`),
    faults: z.array(Finding).describe('While there are any, nothing is imported'),
    faultCount: Count,
    warnings: z.array(Finding),
    warningCount: Count,
  })
  .meta({ id: 'ContentImport' });
export type ContentImport = z.output<typeof ContentImport>;

const common = { service: 'content', auth: 'admin', extension: true } as const;
const importParams = z.object({ importId: Uuid });

export const exportContent = endpoint({
  ...common,
  name: 'exportContent',
  method: 'GET',
  path: '/folder',
  summary: 'everything published, as a content folder in a ZIP',
  description: 'What the command line writes. The same content gives the same bytes.',
  download: 'application/zip',
  replies: { 200: null },
});

export const checkContentZip = endpoint({
  ...common,
  name: 'checkContentZip',
  method: 'POST',
  path: '/folder/imports',
  summary: 'send a content folder as a ZIP (multipart) and find out what importing it would do',
  description:
    'One part named `file`: a ZIP of at most 32 MiB with content.yaml at its root or in its only folder. It is unpacked before it is answered; what it would do is found out by a job. Nothing is changed until it is begun.',
  upload: 'file',
  replies: { 202: ContentImport },
  errors: [
    'content.zip_unreadable',
    'content.zip_too_large',
    'content.zip_unsafe_name',
    'content.zip_repeated_name',
    'content.zip_encrypted',
    'content.zip_wrong_file',
    'content.zip_bad_picture',
    'content.zip_no_content',
  ],
});

export const listContentImports = endpoint({
  ...common,
  name: 'listContentImports',
  method: 'GET',
  path: '/folder/imports',
  summary: 'the imports of the last 90 days from the screen, newest first',
  query: z.object({ limit: limitParam(20), offset: offsetParam() }),
  replies: { 200: z.object({ imports: z.array(z.object(Short)), total: Count }) },
});

export const readContentImport = endpoint({
  ...common,
  name: 'readContentImport',
  method: 'GET',
  path: '/folder/imports/{importId}',
  summary: 'how far an import is, what it would do or did',
  params: importParams,
  replies: { 200: ContentImport },
  errors: ['request.not_found'],
});

export const beginContentImport = endpoint({
  ...common,
  name: 'beginContentImport',
  method: 'POST',
  path: '/folder/imports/{importId}/begin',
  summary: 'import what was checked, all or nothing',
  description: 'Asks for a sign-in of the last 15 minutes. A job does it in one transaction.',
  params: importParams,
  replies: { 202: ContentImport },
  errors: ['request.not_found', 'content.import_not_ready', 'auth.recent_sign_in_required'],
});
