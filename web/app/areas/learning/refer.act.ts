import { referColleague } from '@officium/contract/enrolment';
import type { Attempt } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';

/** Recommends a course to the address in the form. */
export async function refer(attempt: Attempt, course: string, fields: FormData) {
  const email = textOf(fields, 'email');
  const referred = await attempt(referColleague, { body: { email, type: 'courses', slug: course } });
  if (!referred.ok) return referred.refusal;
  return redirectWith(`/courses/${encodeURIComponent(course)}`, { key: 'learning.refer_sent', values: { email } });
}
