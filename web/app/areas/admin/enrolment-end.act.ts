import type { CallOf } from '@officium/contract/endpoint';
import { readBulkEnrolment, updateBulkEnrolment } from '@officium/contract/people-records';
import { textOf } from '../../form/fields.ts';
import type { act } from '../../server/api.ts';
import { endOfDay } from './enrolment-end.ts';

type Body = NonNullable<CallOf<typeof updateBulkEnrolment>['body']>;

/** Changes the end of one enrolment. The API replaces the metadata, so the rest is sent back unchanged. */
export async function saveEnd({ api, attempt, fields }: Awaited<ReturnType<typeof act>>) {
  const params = { id: textOf(fields, 'id') };
  const { metadata, email } = await api(readBulkEnrolment, { params });
  const expiresOn = endOfDay(textOf(fields, 'expiresOn'));
  const body = { metadata: { ...metadata, expiresOn } } as Body; // stored metadata is valid input again
  return { done: await attempt(updateBulkEnrolment, { params, body }), email };
}
