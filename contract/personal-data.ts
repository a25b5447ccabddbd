import { z } from 'zod';
import { Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const personalDataErrors = {
  'account.export_not_ready': { status: 409, message: 'The export is not ready.' },
} as const;

export const EXPORT_STATUSES = ['pending', 'ready', 'failed'] as const;

export const DataExport = z
  .object({
    id: Uuid,
    status: z.enum(EXPORT_STATUSES).describe('pending: being made · ready: to be fetched · failed: ask again'),
    bytes: z.int().nullable().describe('Size of the file, once it is ready'),
    createdAt: Timestamp,
    readyAt: Timestamp.nullable(),
    expiresAt: Timestamp.describe('When the file is removed'),
  })
  .meta({ id: 'DataExport' });

const PROTECTED = 'Needs a recent sign-in; 403 in a narrowed session.';
const OWN = 'An inactive account may too; an address that was never confirmed may not.';

export const requestDataExport = endpoint({
  name: 'requestDataExport',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/exports',
  auth: 'user',
  summary: 'ask for everything held about me',
  description: `Queues a ZIP of JSON and HTML in the account’s language and mails when it is ready. One is made at a time: while it is, asking again answers that one. At most 3 a day. ${PROTECTED} ${OWN}`,
  replies: { 202: DataExport },
  errors: ['auth.recent_sign_in_required'],
  extension: true,
});

export const listDataExports = endpoint({
  name: 'listDataExports',
  service: 'account',
  method: 'GET',
  path: '/accounts/me/exports',
  auth: 'user',
  summary: 'my exports',
  description: `Newest first; removed after 7 days. ${OWN}`,
  replies: { 200: z.object({ exports: z.array(DataExport), total: z.int() }) },
  extension: true,
});

export const readDataExport = endpoint({
  name: 'readDataExport',
  service: 'account',
  method: 'GET',
  path: '/accounts/me/exports/{id}',
  auth: 'user',
  summary: 'one of my exports',
  description: `Nobody reads another’s, an administrator neither: 404. ${OWN}`,
  params: z.object({ id: Uuid }),
  replies: { 200: DataExport },
  extension: true,
});

export const downloadDataExport = endpoint({
  name: 'downloadDataExport',
  service: 'account',
  method: 'GET',
  path: '/accounts/me/exports/{id}/file',
  auth: 'user',
  summary: 'the file of one of my exports',
  description: `For the session of its owner only. ${PROTECTED} ${OWN}`,
  params: z.object({ id: Uuid }),
  download: 'application/zip',
  replies: { 200: null },
  errors: ['account.export_not_ready', 'auth.recent_sign_in_required'],
  extension: true,
});
