import { gzipSync } from 'node:zlib';
import { DEFAULT_LOCALE } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import { isLocale } from '@officium/i18n/locales';
import { certificateAddresses } from './certificate.view.ts';
import type { PublicCertificateRow, StatedAssessment } from '#server/areas/learner/learner.rows.ts';

/** The issuer: address and name of the installation. */
export type Issuer = { publicUrl: string; issuer: string };

const VC_CONTEXT = 'https://www.w3.org/ns/credentials/v2';
const OB_CONTEXT = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json';
// Defines the type used in credentialSchema.
const OB_EXTENSIONS = 'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json';
const OB_SCHEMA = 'https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json';

/** Positions in one status list: the minimum of the recommendation, so that a list covers many holders. */
export const STATUS_LIST_SIZE = 131_072;

/** Addresses of the documents that a credential refers to. */
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
 * A certificate as an unsigned Open Badges 3.0 credential (Verifiable Credentials 2.0). It makes only the certificate's
 * claims. It contains the holder's name in plain text and no address.
 */
export function toCredential(row: PublicCertificateRow, by: Issuer) {
  const { publicUrl } = by;
  const { verificationUrl } = certificateAddresses(publicUrl, row.public_id);
  const { t } = createTranslator(isLocale(row.locale) ? row.locale : DEFAULT_LOCALE);
  const passed = row.assessments ?? [];
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
    ...(row.expires_at === null ? {} : { validUntil: row.expires_at.toISOString() }),
    awardedDate: row.issued_at.toISOString(),
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        { type: 'IdentityObject', hashed: false, identityHash: row.name_on_certificate, identityType: 'name' },
      ],
      licenseNumber: row.public_id,
      ...(passed.length === 0
        ? {}
        : {
            result: passed.map(({ lesson }) => ({
              type: ['Result'],
              resultDescription: `urn:uuid:${lesson}`,
              status: 'Completed',
            })),
          }),
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
        ...(passed.length === 0 ? {} : { resultDescription: passed.map(toResultDescription) }),
      },
    },
    evidence: [
      { id: verificationUrl, type: ['Evidence'] },
      ...passed.map(({ title, passMark, passedAt }) => ({
        type: ['Evidence'],
        name: title,
        genre: 'Assessment',
        narrative: t('certificate.credential_passed', { mark: passMark / 100, date: passedAt.slice(0, 10) }),
      })),
    ],
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

/** An assessment with the score it needs. The score reached is not a claim of the certificate. */
function toResultDescription({ lesson, title, passMark }: StatedAssessment) {
  return {
    id: `urn:uuid:${lesson}`,
    type: ['ResultDescription'],
    name: title,
    resultType: 'Percent',
    requiredValue: String(passMark),
    valueMin: '0',
    valueMax: '100',
  };
}

/** Adds the JWT claims of a credential (Open Badges 3.0, section 8.2). */
export function toClaims<
  C extends { id: string; issuer: { id: string } | string; validFrom: string; validUntil?: string },
>(credential: C) {
  const { id, issuer, validFrom, validUntil } = credential;
  return {
    ...credential,
    iss: typeof issuer === 'string' ? issuer : issuer.id,
    jti: id,
    nbf: Math.floor(Date.parse(validFrom) / 1000),
    ...(validUntil === undefined ? {} : { exp: Math.floor(Date.parse(validUntil) / 1000) }),
  };
}

/** How long a verifier may cache a status list. */
export const STATUS_LIST_TTL_MS = 300_000;

/** The revoked positions of a list as an unsigned Bitstring Status List credential. */
export function toStatusList(list: number, revoked: readonly number[], by: Issuer & { now: Date }) {
  const id = credentialAddresses(by.publicUrl).statusList(list);
  const bits = Buffer.alloc(STATUS_LIST_SIZE / 8);
  // Position 0 is the leftmost bit.
  for (const position of revoked) bits[position >> 3] = (bits[position >> 3] ?? 0) | (0x80 >> (position & 7));
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
