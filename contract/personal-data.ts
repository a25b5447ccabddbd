import { z } from 'zod';
import { Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const personalDataErrors = {
  'account.export_not_ready': { status: 409, message: 'The export is not ready.' },
} as const;

export const EXPORT_STATUSES = ['pending', 'ready', 'failed'] as const;

export const DataExport = z
  .object({
    id: Uuid,
    status: z
      .enum(EXPORT_STATUSES)
      .describe('pending: being created · ready: available for download · failed: request a new one'),
    bytes: z.int().nullable().describe('File size, once ready'),
    createdAt: Timestamp,
    readyAt: Timestamp.nullable(),
    expiresAt: Timestamp.describe('When the file is deleted'),
  })
  .meta({ id: 'DataExport' });

const PROTECTED = 'Needs a recent sign-in; 403 in a narrowed session.';
const OWN = 'Also available to inactive accounts, but not before the address is confirmed.';

export const requestDataExport = endpoint({
  name: 'requestDataExport',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/exports',
  auth: 'user',
  summary: 'Request an export of everything held about me',
  description: `Queues a ZIP of JSON and HTML in the account's language and sends a mail when it is ready. Only one export runs at a time; repeating the request returns it. At most 3 a day. ${PROTECTED} ${OWN}`,
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
  summary: 'List my exports, newest first',
  description: `Exports are deleted after 7 days. ${OWN}`,
  replies: { 200: z.object({ exports: z.array(DataExport), total: z.int() }) },
  extension: true,
});

export const readDataExport = endpoint({
  name: 'readDataExport',
  service: 'account',
  method: 'GET',
  path: '/accounts/me/exports/{id}',
  auth: 'user',
  summary: 'Read one of my exports',
  description: `Another user's export is 404, also for administrators. ${OWN}`,
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
  summary: 'Download one of my exports',
  description: `Only for a session of its owner. ${PROTECTED} ${OWN}`,
  params: z.object({ id: Uuid }),
  download: 'application/zip',
  replies: { 200: null },
  errors: ['account.export_not_ready', 'auth.recent_sign_in_required'],
  extension: true,
});
