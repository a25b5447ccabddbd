import type { Profile } from '@officium/contract/account';
import type { UserRecord } from '@officium/contract/people';
import type { z } from 'zod';
import { isNarrowed, isShutOut, openSlugs } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import { badgesBut } from '#server/areas/account/profile.view.ts';
import type { UserRow } from '#server/areas/auth/user.service.ts';

export type UserRecordAnswer = z.output<typeof UserRecord>;

/** What a sign-up kept beside the columns: toDetails of auth wrote it. */
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
 * The whole record, for its owner, administrators and services. What was said at sign-up names courses, so a session
 * that its token narrows is not told of it.
 */
export function toUserRecord(row: UserRow, reader: Viewer): UserRecordAnswer {
  const signUp: SignUpDetails = isNarrowed(openSlugs(reader)) ? {} : (row.sign_up as SignUpDetails); // written by us
  const { optIn, freeCourse, courseInterest, signupRedirectUrl, clientId, page, ref, courseSlug, journeySlug } = signUp;
  return {
    id: row.id,
    name: row.name,
    thumbnail: row.image_thumbnail,
    jobTitle: row.job_title,
    organization: row.organization,
    location: row.location as UserRecordAnswer['location'], // written by us
    badges: badgesBut(row.badges as Record<string, Record<string, string[]>>, (slug) => isShutOut(reader, slug)), // the same
    visibility: row.visibility as UserRecordAnswer['visibility'], // the column's check says so
    email: row.email ?? '',
    isProven: row.email_proven_at !== null,
    role: row.role as UserRecordAnswer['role'], // the column's check says so
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

/** What a profile shows its reader, as a record. */
export function toSeenRecord(profile: z.output<typeof Profile>): UserRecordAnswer {
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
