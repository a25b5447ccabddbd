import { z } from 'zod';
import { PIECE_KINDS } from './authoring.ts';
import { IsDeletedUser, limitParam, LocaleCode, offsetParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// The content folder (see the README of an exported folder) as a ZIP: export and import.

/** Errors of importing a ZIP, with their status. */
export const contentFolderErrors = {
  'content.zip_unreadable': { status: 400, message: 'The file could not be read as a ZIP.' },
  'content.zip_too_large': {
    status: 413,
    message: 'The ZIP is too large: at most 32 MB, 256 MB unpacked and 10 000 files of 10 MB.',
  },
  'content.zip_unsafe_name': { status: 400, message: 'The ZIP contains a link or a path that leads outside it.' },
  'content.zip_repeated_name': { status: 400, message: 'The ZIP contains two files with the same name.' },
  'content.zip_encrypted': { status: 400, message: 'The ZIP is encrypted.' },
  'content.zip_wrong_file': { status: 400, message: 'The ZIP contains a file that is neither text nor an image.' },
  'content.zip_bad_picture': { status: 400, message: 'The ZIP contains a file that is not the image its name claims.' },
  'content.zip_no_content': { status: 400, message: 'The ZIP contains no content.yaml.' },
  'content.import_not_ready': { status: 409, message: 'This import is not ready to start.' },
} as const;

export const MAX_ZIP_BYTES = 32 * 1024 * 1024;
/** How long a checked ZIP can be imported. */
export const IMPORT_HOURS = 24;
/** How long the result of an import is kept. */
export const IMPORT_DAYS = 90;
/** Maximum number of listed changes and of listed findings. */
export const MAX_IMPORT_LINES = 1000;

export const IMPORT_STATES = ['checking', 'checked', 'refused', 'importing', 'done', 'failed', 'expired'] as const;
export const IMPORT_STEPS = ['waiting', 'unpacking', 'reading', 'writing'] as const;
export const IMPORT_OUTCOMES = ['added', 'changed', 'withdrawn'] as const;

const Count = z.int().min(0);
const Finding = z.object({
  file: z.string(),
  line: z.int().min(1),
  field: z.string().describe('Such as courses[0].title.en; empty for the whole file'),
  message: z.string().describe('In English, as on the command line'),
});

const Summary = z.object({ added: Count, changed: Count, unchanged: Count, withdrawn: Count });

const importSummary = {
  id: Uuid,
  name: z.string().describe('Name of the file'),
  bytes: Count,
  files: Count,
  state: z
    .enum(IMPORT_STATES)
    .describe(
      'checking: computing its effect · checked: ready to start · refused: it contains errors · importing: running · done: finished · failed: nothing was changed · expired: not started in time',
    ),
  summary: Summary.nullable().describe('Expected effect; once done, the actual effect'),
  by: z.string().nullable().describe('Name of the administrator who uploaded it'),
  isPersonDeleted: IsDeletedUser,
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable(),
};

export const ContentImport = z
  .object({
    ...importSummary,
    progress: z.object({ step: z.enum(IMPORT_STEPS), done: Count, total: Count }),
    expiresAt: Timestamp.describe('It can be started until then'),
    items: z
      .array(
        z.object({
          kind: z.enum(PIECE_KINDS),
          key: z.string().describe('Key in authoring; does not exist yet for pieces to be added'),
          title: z.partialRecord(LocaleCode, z.string()),
          outcome: z.enum(IMPORT_OUTCOMES),
        }),
      )
      .describe(`The first ${MAX_IMPORT_LINES} changed pieces`),
    faults: z.array(Finding).describe('Errors that block the import'),
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
  summary: 'Download all published content as a ZIP',
  description: 'The content folder that `npm run export` writes. The same content gives the same bytes.',
  download: 'application/zip',
  replies: { 200: null },
});

export const checkContentZip = endpoint({
  ...common,
  name: 'checkContentZip',
  method: 'POST',
  path: '/folder/imports',
  summary: 'Upload a content folder as a ZIP and preview its import (multipart)',
  description:
    'One part named `file`: a ZIP of at most 32 MiB with content.yaml at its root or in its only folder. It is unpacked before the reply; a job computes the effect. Nothing changes until the import is started.',
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
  summary: 'List imports of the last 90 days, newest first',
  query: z.object({ limit: limitParam(20), offset: offsetParam() }),
  replies: { 200: z.object({ imports: z.array(z.object(importSummary)), total: Count }) },
});

export const readContentImport = endpoint({
  ...common,
  name: 'readContentImport',
  method: 'GET',
  path: '/folder/imports/{importId}',
  summary: 'Read the progress and effect of an import',
  params: importParams,
  replies: { 200: ContentImport },
  errors: ['request.not_found'],
});

export const beginContentImport = endpoint({
  ...common,
  name: 'beginContentImport',
  method: 'POST',
  path: '/folder/imports/{importId}/begin',
  summary: 'Start a checked import',
  description: 'Needs a sign-in within the last 15 minutes. A job imports everything in one transaction, or nothing.',
  params: importParams,
  replies: { 202: ContentImport },
  errors: ['request.not_found', 'content.import_not_ready', 'auth.recent_sign_in_required'],
});
