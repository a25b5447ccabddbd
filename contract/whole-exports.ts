import { z } from 'zod';
import { Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { EXPORT_STATUSES } from './personal-data.ts';

/** For how long an export of everything can be downloaded. */
export const WHOLE_EXPORT_HOURS = 24;

export const WholeExport = z
  .object({
    id: Uuid,
    status: z
      .enum(EXPORT_STATUSES)
      .describe('pending: being created · ready: available for download · failed: request a new one'),
    bytes: z.int().nullable().describe('File size, once ready'),
    createdAt: Timestamp,
    expiresAt: Timestamp.describe('When the file is deleted'),
  })
  .meta({ id: 'WholeExport' });
export type WholeExport = z.output<typeof WholeExport>;

const common = { service: 'admin', auth: 'admin', extension: true } as const;
const PROTECTED = 'Needs a recent sign-in; 403 in a narrowed session.';

export const requestWholeExport = endpoint({
  ...common,
  name: 'requestWholeExport',
  method: 'POST',
  path: '/whole-exports',
  summary: 'Request an export of everything',
  description: `Queues the ZIP that \`npm run export:all\` writes. Only one of an administrator is created at a time; repeating the request returns it. ${PROTECTED}`,
  replies: { 202: WholeExport },
  errors: ['auth.recent_sign_in_required'],
});

export const listWholeExports = endpoint({
  ...common,
  name: 'listWholeExports',
  method: 'GET',
  path: '/whole-exports',
  summary: 'List my exports of everything, newest first',
  description: `Only those the caller requested. They are deleted after ${WHOLE_EXPORT_HOURS} hours.`,
  replies: { 200: z.object({ exports: z.array(WholeExport), total: z.int() }) },
});

export const downloadWholeExport = endpoint({
  ...common,
  name: 'downloadWholeExport',
  method: 'GET',
  path: '/whole-exports/{exportId}/file',
  summary: 'Download one of my exports of everything',
  description: `Another administrator's export is 404. ${PROTECTED}`,
  params: z.object({ exportId: Uuid }),
  download: 'application/zip',
  replies: { 200: null },
  errors: ['account.export_not_ready', 'auth.recent_sign_in_required'],
});
