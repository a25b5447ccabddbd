import { defineRecords, type RecordKind } from './record.format.ts';

/**
 * Records of a backup alone, so that people sign in as before. Second factors and recovery codes are sealed with the key
 * of the installation, which is in no archive.
 */
export const SECRET_RECORDS: readonly RecordKind[] = [
  defineRecords({
    file: 'secret-former-passwords',
    table: 'password_history',
    about: 'Hashes of former passwords',
    fields: { id: 'id', user_id: 'personId', password_hash: 'hash', created_at: 'createdAt' },
    order: ['id'],
  }),
  defineRecords({
    file: 'secret-codes',
    table: 'totp_factors',
    about: 'Authenticator apps',
    fields: {
      user_id: 'personId',
      secret: 'secret',
      confirmed_at: 'confirmedAt',
      last_step: 'lastStep',
      created_at: 'createdAt',
    },
    order: ['user_id'],
  }),
  defineRecords({
    file: 'secret-recovery-codes',
    table: 'recovery_codes',
    about: 'Hashes of recovery codes',
    fields: { user_id: 'personId', code_hash: 'hash', created_at: 'createdAt', used_at: 'usedAt' },
    order: ['user_id', 'code_hash'],
  }),
  defineRecords({
    file: 'secret-passkeys',
    table: 'passkeys',
    about: 'Passkeys',
    fields: {
      id: 'id',
      user_id: 'personId',
      credential_id: 'credentialId',
      public_key: 'publicKey',
      counter: 'counter',
      transports: 'transports',
      name: 'name',
      created_at: 'createdAt',
      last_used_at: 'lastUsedAt',
    },
    order: ['id'],
  }),
];

/** The file with `id`, `hash` and `secondFactor` of each account that has one of them. */
export const PASSWORDS = 'secret-passwords';
