import { readUserRecord, updateUserRecord } from '@officium/contract/people';
import type { act } from '../../server/api.ts';
import type { ROLES } from './people-search.ts';

type Role = (typeof ROLES)[number];
type Acting = Pick<Awaited<ReturnType<typeof act>>, 'api' | 'attempt'> & { id: string };

/** Changes the role only: the API replaces the whole record, so the other fields are sent back unchanged. */
export async function giveRole({ api, attempt, id }: Acting, role: Role | undefined) {
  const now = await api(readUserRecord, { params: { id } });
  const kept = {
    name: now.name,
    jobTitle: now.jobTitle ?? undefined,
    organization: now.organization ?? undefined,
    bioLink: now.bioLink ?? undefined,
    memberType: now.memberType ?? undefined,
    locale: now.locale,
    optIn: now.optIn,
    freeCourse: now.freeCourse,
    courseInterest: now.courseInterest,
    signupRedirectUrl: now.signupRedirectUrl,
    clientId: now.clientId,
    page: now.page,
    ref: now.ref,
    courseSlug: now.courseSlug,
    journeySlug: now.journeySlug,
  };
  return await attempt(updateUserRecord, { params: { id }, body: { ...kept, role } });
}
