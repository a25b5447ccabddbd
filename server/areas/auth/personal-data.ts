import { DELETED_USER_NAME } from '@officium/contract/common';
import { sql } from 'kysely';
import { NOW } from '#server/db/client.ts';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

/** The columns of a user that are null once the person is erased. */
const NO_DETAILS = {
  email: null,
  email_proven_at: null,
  password_hash: null,
  nickname: null,
  member_type: null,
  job_title: null,
  organization: null,
  location: null,
  biography: null,
  bio_link: null,
  image_full: null,
  image_thumbnail: null,
  onboarding_state: null,
  approved_by_rule: null,
  registration_status: null,
  registration_reason: null,
};

export const users = definePersonalTable({
  table: 'users',
  part: 'account',
  isAbout: ({ id }) => sql`t.id = ${id}`,
  columns: {
    id: 'id',
    email: 'email',
    email_proven_at: 'emailProvenAt',
    name: 'name',
    role: 'role',
    password_hash: leftOut('a secret'),
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
    locale_chosen: leftOut('only records whether the language was chosen'),
    visibility: 'visibility',
    badges: 'badges',
    onboarding_state: 'onboardingState',
    sign_up: 'signUp',
    approved_by_rule: leftOut('refers to a rule; the role shows the result'),
    registration_status: 'registrationStatus',
    registration_reason: 'registrationReason',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    second_factor: leftOut('derived from the second factors'),
    erased_at: leftOut('null for every account that can request an export'),
    search_text: leftOut('derived from other columns'),
    number: leftOut('internal number used in `cohort_crowds`'),
    public_badges: leftOut('derived from other columns'),
  },
  order: 'id',
  erase: {
    rows: 'nameless',
    why: 'Posts and replies refer to the row. It keeps only the name “Deleted user”.',
    async run(db, { id }) {
      await db
        .updateTable('users')
        .set({
          name: DELETED_USER_NAME,
          role: 'inactive',
          locale: 'en',
          locale_chosen: false,
          visibility: 'private',
          badges: '{}',
          sign_up: '{}',
          second_factor: false,
          updated_at: NOW,
          erased_at: NOW,
          ...NO_DETAILS,
        })
        .where('id', '=', id)
        .execute();
    },
  },
});

export const passwordHistory = definePersonalTable({
  table: 'password_history',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    password_hash: leftOut('a secret'),
    created_at: 'createdAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const challenges = definePersonalTable({
  table: 'challenges',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    kind: 'kind',
    user_id: leftOut('the person'),
    secret_hash: leftOut('a secret'),
    detail: leftOut('its personal part is exported as `email`'),
    attempts: leftOut('a counter of attempts'),
    created_at: 'createdAt',
    expires_at: 'expiresAt',
    used_at: 'usedAt',
  },
  also: () => ({ email: sql`t.detail ->> 'email'` }), // the new address of a change
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const totpFactors = definePersonalTable({
  table: 'totp_factors',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    secret: leftOut('a secret'),
    confirmed_at: 'confirmedAt',
    last_step: leftOut('the step of the last used code'),
    created_at: 'createdAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const recoveryCodes = definePersonalTable({
  table: 'recovery_codes',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    code_hash: leftOut('a secret'),
    created_at: 'createdAt',
    used_at: 'usedAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const passkeys = definePersonalTable({
  table: 'passkeys',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    credential_id: leftOut('identifies the passkey to the device'),
    public_key: leftOut('verifies its signatures'),
    counter: leftOut('a use counter reported by the device'),
    transports: leftOut('technical detail of the device'),
    name: 'name',
    created_at: 'createdAt',
    last_used_at: 'lastUsedAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const passkeyChallenges = definePersonalTable({
  table: 'passkey_challenges',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    challenge_hash: leftOut('a secret'),
    purpose: 'kind',
    user_id: leftOut('the person'),
    created_at: 'createdAt',
    expires_at: 'expiresAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const providerIdentities = definePersonalTable({
  table: 'provider_identities',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    issuer: 'organisation',
    subject: 'idThere',
    user_id: leftOut('the person'),
    granted_role: 'roleGivenByIt',
    created_at: 'createdAt',
    last_used_at: 'lastUsedAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
