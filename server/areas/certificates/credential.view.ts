import { gzipSync } from 'node:zlib';
import { DEFAULT_LOCALE } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import { isLocale } from '@officium/i18n/locales';
import { certificateAddresses } from './certificate.view.ts';
import type { PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';

/** Who issues: the address of the installation and its name. */
export type Issuer = { publicUrl: string; issuer: string };

const VC_CONTEXT = 'https://www.w3.org/ns/credentials/v2';
const OB_CONTEXT = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json';
// Where the type of a credentialSchema is defined.
const OB_EXTENSIONS = 'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json';
const OB_SCHEMA = 'https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json';

/** Places in one status list: the least the recommendation allows, so that no list tells few people apart. */
export const STATUS_LIST_SIZE = 131_072;

/** Where the parts of a credential can be read. */
export function credentialAddresses(publicUrl: string) {
  const base = `${publicUrl}/credentials`;
  return {
    issuer: `${base}/issuer`,
    keys: `${base}/keys`,
    key: (kid: string) => `${base}/keys/${kid}`,
    statusList: (list: number) => `${base}/status/${list}`,
  };
}

/** The issuer as an Open Badges 3.0 Profile. */
export function toProfile({ publicUrl, issuer }: Issuer) {
  return { id: credentialAddresses(publicUrl).issuer, type: ['Profile'], name: issuer, url: publicUrl };
}

/**
 * A certificate as an Open Badges 3.0 credential (Verifiable Credentials 2.0), unsigned. It claims what the certificate
 * claims and no more; the holder is named as on it, in plain words, and by no address.
 */
export function toCredential(row: PublicCertificateRow, by: Issuer) {
  const { publicUrl } = by;
  const { verificationUrl } = certificateAddresses(publicUrl, row.public_id);
  const { t } = createTranslator(isLocale(row.locale) ? row.locale : DEFAULT_LOCALE);
  const list = Math.floor(row.status_position / STATUS_LIST_SIZE);
  const index = String(row.status_position % STATUS_LIST_SIZE);
  const statusList = credentialAddresses(publicUrl).statusList(list);
  return {
    '@context': [VC_CONTEXT, OB_CONTEXT, OB_EXTENSIONS],
    id: `${verificationUrl}.jwt`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: row.course_title,
    issuer: toProfile(by),
    validFrom: row.issued_at.toISOString(),
    awardedDate: row.issued_at.toISOString(),
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        { type: 'IdentityObject', hashed: false, identityHash: row.name_on_certificate, identityType: 'name' },
      ],
      licenseNumber: row.public_id,
      achievement: {
        id: `urn:uuid:${row.journey_key}`,
        type: ['Achievement'],
        achievementType: 'Course',
        name: row.course_title,
        description: row.journey_title,
        inLanguage: row.locale,
        criteria: {
          narrative: t('certificate.credential_criteria', { lessons: row.lessons, minutes: row.minutes }),
        },
        image: { id: `${verificationUrl}.svg`, type: 'Image' },
      },
    },
    evidence: [{ id: verificationUrl, type: ['Evidence'] }],
    credentialStatus: {
      id: `${statusList}#${index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: index,
      statusListCredential: statusList,
    },
    credentialSchema: [{ id: OB_SCHEMA, type: '1EdTechJsonSchemaValidator2019' }],
  };
}

/** What a JWT says of a credential beside it: section 8.2 of Open Badges 3.0. */
export function toClaims<C extends { id: string; issuer: { id: string } | string; validFrom: string }>(credential: C) {
  const { id, issuer, validFrom } = credential;
  return {
    ...credential,
    iss: typeof issuer === 'string' ? issuer : issuer.id,
    jti: id,
    nbf: Math.floor(Date.parse(validFrom) / 1000),
  };
}

/** How long a verifier may keep a status list. */
export const STATUS_LIST_TTL_MS = 300_000;

/** Which of one list's places are withdrawn, as a Bitstring Status List credential, unsigned. */
export function toStatusList(list: number, revoked: readonly number[], by: Issuer & { now: Date }) {
  const id = credentialAddresses(by.publicUrl).statusList(list);
  const bits = Buffer.alloc(STATUS_LIST_SIZE / 8);
  // The first place is the leftmost bit.
  for (const place of revoked) bits[place >> 3] = (bits[place >> 3] ?? 0) | (0x80 >> (place & 7));
  return {
    '@context': [VC_CONTEXT],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: credentialAddresses(by.publicUrl).issuer,
    validFrom: by.now.toISOString(),
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: `u${gzipSync(bits).toString('base64url')}`,
      ttl: STATUS_LIST_TTL_MS,
    },
  };
}
