import { sql } from 'kysely';
import { leftOut } from '#server/personal-data/define.ts';
import { defineRecords, type RecordKind, withOrigin, withoutOrigin } from './record.format.ts';

const peopleRecords = defineRecords({
  file: 'people',
  table: 'users',
  about: 'Accounts with their profiles; deleted accounts keep only their id',
  fields: {
    id: 'id',
    number: leftOut('numbers bits of a counter, which is rebuilt'),
    email: 'email',
    email_proven_at: 'emailProvenAt',
    password_hash: leftOut('a secret; people set a new password by mail'),
    second_factor: leftOut('says that second factors exist, which are left out'),
    role: 'role',
    name: 'name',
    nickname: 'nickname',
    member_type: 'memberType',
    job_title: 'jobTitle',
    organization: 'organization',
    location: 'location',
    biography: 'biography',
    bio_link: 'bioLink',
    image_full: 'picture',
    image_thumbnail: 'thumbnail',
    locale: 'language',
    locale_chosen: 'localeChosen',
    visibility: 'visibility',
    badges: 'badges',
    onboarding_state: 'onboardingState',
    sign_up: 'signUp',
    approved_by_rule: 'approvedByRule',
    registration_status: 'registrationStatus',
    registration_reason: 'registrationReason',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    erased_at: 'erasedAt',
    search_text: leftOut('derived from other columns'),
    public_badges: leftOut('derived from other columns'),
  },
  order: ['id'],
  written: ({ publicUrl }) => ({
    image_full: withoutOrigin('image_full', publicUrl),
    image_thumbnail: withoutOrigin('image_thumbnail', publicUrl),
  }),
  stored: ({ publicUrl }) => ({
    image_full: withOrigin('picture', publicUrl),
    image_thumbnail: withOrigin('thumbnail', publicUrl),
  }),
});

const profilePicturesRecords = defineRecords({
  file: 'profile-pictures',
  table: 'profile_images',
  about: 'Uploaded profile pictures; the files are `files/profiles/<id>-512.webp` and `-128.webp`',
  fields: {
    id: 'id',
    user_id: 'personId',
    created_at: 'createdAt',
  },
  order: ['id'],
});

const signInProvidersRecords = defineRecords({
  file: 'sign-in-providers',
  table: 'provider_identities',
  about: 'The identity of a person at a sign-in provider',
  fields: {
    issuer: 'issuer',
    subject: 'subject',
    user_id: 'personId',
    granted_role: 'grantedRole',
    created_at: 'createdAt',
    last_used_at: 'lastUsedAt',
  },
  order: ['issuer', 'subject'],
});

const notificationChoicesRecords = defineRecords({
  file: 'notification-choices',
  table: 'notification_preferences',
  about: 'How a person is told of an event',
  fields: {
    user_id: 'personId',
    event: 'event',
    in_app: 'inApp',
    mail: 'mail',
    push: 'push',
  },
  order: ['user_id', 'event'],
});

const notificationSettingsRecords = defineRecords({
  file: 'notification-settings',
  table: 'notification_settings',
  about: 'When a person gets digests',
  fields: {
    user_id: 'personId',
    digest_hour: 'digestHour',
    time_zone: 'timeZone',
    secret: leftOut('a secret; made anew when it is needed'),
  },
  order: ['user_id'],
  stored: () => ({ secret: sql`sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)` }),
});

const approvalRulesRecords = defineRecords({
  file: 'approval-rules',
  table: 'auto_approvals',
  about: 'Rules that approve registrations',
  fields: {
    id: 'id',
    type: 'type',
    value: 'value',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const connectionsRecords = defineRecords({
  file: 'connections',
  table: 'connections',
  about: 'Connections between two people',
  fields: {
    id: 'id',
    low_id: 'lowerPersonId',
    high_id: 'higherPersonId',
    asker_id: 'askedById',
    status: 'status',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const referralsRecords = defineRecords({
  file: 'referrals',
  table: 'referrals',
  about: 'Referrals of colleagues',
  fields: {
    id: 'id',
    referrer_id: 'referrerId',
    email: 'email',
    type: 'type',
    slug: 'slug',
    removed_at: 'removedAt',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const academyMembersRecords = defineRecords({
  file: 'academy-members',
  table: 'academy_members',
  about: 'Members of academies',
  fields: {
    academy_id: 'academyId',
    user_id: 'personId',
    joined_at: 'joinedAt',
  },
  order: ['academy_id', 'user_id'],
});

/** In the order in which they are read back. */
export const PEOPLE_RECORDS: readonly RecordKind[] = [
  peopleRecords,
  profilePicturesRecords,
  signInProvidersRecords,
  notificationChoicesRecords,
  notificationSettingsRecords,
  approvalRulesRecords,
  connectionsRecords,
  referralsRecords,
  academyMembersRecords,
];
