import type { Profile } from '@officium/contract/account';
import type { UserRecord } from '@officium/contract/people';
import type { z } from 'zod';
import { isNarrowed, isShutOut, openSlugs } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import { badgesBut } from '#server/areas/account/profile.view.ts';
import type { UserRow } from '#server/areas/auth/user.service.ts';

export type UserRecordAnswer = z.output<typeof UserRecord>;

/** Sign-up details stored as JSON by toDetails of auth. */
type SignUpDetails = Pick<
  UserRecordAnswer,
  | 'optIn'
  | 'freeCourse'
  | 'courseInterest'
  | 'signupRedirectUrl'
  | 'clientId'
  | 'page'
  | 'ref'
  | 'courseSlug'
  | 'journeySlug'
>;

/**
 * The full record, for its owner, administrators and services. Narrowed sessions do not get the sign-up details,
 * because they name courses.
 */
export function toUserRecord(row: UserRow, viewer: Viewer): UserRecordAnswer {
  const signUp: SignUpDetails = isNarrowed(openSlugs(viewer)) ? {} : (row.sign_up as SignUpDetails); // validated on write
  const { optIn, freeCourse, courseInterest, signupRedirectUrl, clientId, page, ref, courseSlug, journeySlug } = signUp;
  return {
    id: row.id,
    name: row.name,
    thumbnail: row.image_thumbnail,
    jobTitle: row.job_title,
    organization: row.organization,
    location: row.location as UserRecordAnswer['location'], // validated on write
    badges: badgesBut(row.badges as Record<string, Record<string, string[]>>, (slug) => isShutOut(viewer, slug)), // validated on write
    visibility: row.visibility as UserRecordAnswer['visibility'], // guaranteed by the column's check constraint
    email: row.email ?? '',
    isProven: row.email_proven_at !== null,
    role: row.role as UserRecordAnswer['role'], // guaranteed by the column's check constraint
    locale: row.locale as UserRecordAnswer['locale'], // only locales are stored
    bioLink: row.bio_link,
    memberType: row.member_type,
    optIn,
    freeCourse,
    courseInterest,
    signupRedirectUrl,
    clientId,
    page,
    ref,
    courseSlug,
    journeySlug,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The record of a profile as the viewer sees it. */
export function toVisibleRecord(profile: z.output<typeof Profile>): UserRecordAnswer {
  const { id, name, jobTitle, organization, location, badges, visibility, image, joinedAt } = profile;
  return {
    id,
    name,
    thumbnail: image?.thumbnail ?? null,
    jobTitle,
    organization,
    location,
    badges,
    visibility,
    createdAt: joinedAt,
  };
}
