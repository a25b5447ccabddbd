import { DEFAULT_LOCALE, type Locale, type LocalizedText } from '@officium/contract/common';
import type { Certificate, verifyCertificate } from '@officium/contract/learner';
import type { CertificateValidity } from '@officium/contract/renewals';
import type { ReplyOf } from '@officium/contract/endpoint';
import { createTranslator, type Translator } from '@officium/i18n/catalogue';
import { dateLocaleOf, isLocale } from '@officium/i18n/locales';
import type { z } from 'zod';
import { designOf, toPublicDesign } from './design.view.ts';
import type { CertificateDocument } from './pdf.view.ts';
import { pickText } from '#server/text/localised.ts';
import { pagePath } from '#server/page-address.ts';
import type {
  CertificateJson,
  PublicCertificateRow,
  StatedAssessment,
  ValidityJson,
} from '#server/areas/learner/learner.rows.ts';

/** Public addresses of a certificate: its PDF and its verification page. */
export function certificateAddresses(publicUrl: string, publicId: string) {
  const verificationUrl = `${publicUrl}${pagePath(['certificate', publicId])}`;
  return { certificateUrl: `${verificationUrl}.pdf`, verificationUrl };
}

/** Addresses of the signed credential and of the badge that contains it. */
function credentialFiles(publicUrl: string, publicId: string) {
  const { verificationUrl } = certificateAddresses(publicUrl, publicId);
  return { credentialUrl: `${verificationUrl}.jwt`, badgeUrl: `${verificationUrl}.svg` };
}

export function toCertificate(row: CertificateJson, publicUrl: string): z.output<typeof Certificate> {
  return {
    id: row.id,
    ...certificateAddresses(publicUrl, row.publicId),
    issuedAt: new Date(row.issuedAt).toISOString(),
    nameOnCertificate: row.name,
  };
}

/** Nobody can renew the certificate of a withdrawn journey. */
export function toValidity(
  validity: ValidityJson | null,
  { isWithdrawn }: { isWithdrawn: boolean },
): z.output<typeof CertificateValidity> | null {
  if (!validity) return null;
  const { expiresAt, renewal } = validity;
  const isClosed = isWithdrawn && renewal === 'open';
  return { ...validity, expiresAt: new Date(expiresAt).toISOString(), renewal: isClosed ? 'closed' : renewal };
}

/** A certificate that was revoked is not said to have expired. */
export function certificateStatus(of: { isRevoked: boolean; isExpired: boolean }): 'valid' | 'expired' | 'revoked' {
  if (of.isRevoked) return 'revoked';
  return of.isExpired ? 'expired' : 'valid';
}

export function toVerification(
  row: PublicCertificateRow,
  { publicUrl, issuer }: { publicUrl: string; issuer: string },
): ReplyOf<typeof verifyCertificate> {
  return {
    certificate: {
      publicId: row.public_id,
      status: certificateStatus({ isRevoked: row.revoked_at !== null, isExpired: row.is_expired }),
      nameOnCertificate: row.name_on_certificate,
      courseTitle: row.course_title,
      journeyTitle: row.journey_title,
      courseSlug: row.open_course_slug,
      lessons: row.lessons,
      minutes: row.minutes,
      locale: row.locale,
      issuer,
      issuedAt: row.issued_at.toISOString(),
      expiresAt: row.expires_at?.toISOString() ?? null,
      follows: row.follows === null ? null : toFollowed(row.follows, publicUrl),
      assessments: (row.assessments ?? []).map(({ title, passMark, passedAt }) => ({ title, passMark, passedAt })),
      revokedAt: row.revoked_at?.toISOString() ?? null,
      revocationReason: row.revocation_reason,
      design: toPublicDesign(designOf(row), row.locale),
      ...certificateAddresses(publicUrl, row.public_id),
      ...credentialFiles(publicUrl, row.public_id),
    },
  };
}

const toFollowed = (publicId: string, publicUrl: string) => ({
  publicId,
  verificationUrl: certificateAddresses(publicUrl, publicId).verificationUrl,
});

/** A passed assessment with its title in the language of the certificate. */
export function toStated(
  { lesson, title, passMark, passedAt }: { lesson: string; title: LocalizedText; passMark: number; passedAt: Date },
  locale: Locale,
): StatedAssessment {
  return { lesson, title: pickText(title, locale).text, passMark, passedAt: passedAt.toISOString() };
}

/** Assessments that a PDF names; it counts more of them. */
const NAMED_ASSESSMENTS = 2;

/** The line of the PDF about passed assessments; empty without one. */
function passedLine({ assessments, locale }: PublicCertificateRow, t: Translator['t']): string {
  const passed = assessments ?? [];
  if (passed.length > NAMED_ASSESSMENTS) return t('certificate.pdf.passed_many', { count: passed.length });
  const mark = new Intl.NumberFormat(locale, { style: 'percent' });
  const day = new Intl.DateTimeFormat(dateLocaleOf(locale), { dateStyle: 'long', timeZone: 'UTC' });
  const lines = passed.map(({ title, passMark, passedAt }) =>
    t('certificate.pdf.passed', { title, mark: mark.format(passMark / 100), date: day.format(new Date(passedAt)) }),
  );
  return lines.join(' · ');
}

/** The content of the PDF, in the language the certificate was issued in. */
export function toDocument(
  row: PublicCertificateRow,
  { publicUrl, issuer }: { publicUrl: string; issuer: string },
): CertificateDocument {
  const { t } = createTranslator(isLocale(row.locale) ? row.locale : DEFAULT_LOCALE);
  return {
    id: row.public_id,
    holder: row.name_on_certificate,
    courseTitle: row.course_title,
    journeyTitle: row.journey_title,
    lessons: row.lessons,
    hours: row.minutes,
    issuedAt: row.issued_at,
    locale: row.locale,
    verifyUrl: certificateAddresses(publicUrl, row.public_id).verificationUrl,
    issuer,
    expiresAt: row.expires_at,
    passed: passedLine(row, t),
    follows: row.follows === null ? '' : t('certificate.pdf.follows', { number: row.follows }),
    labels: {
      title: t('certificate.pdf.title'),
      certifies: t('certificate.pdf.certifies'),
      completed: t('certificate.pdf.completed'),
      lessons: t('certificate.pdf.lessons', { lessons: row.lessons }),
      issuedOn: t('certificate.pdf.issued_on'),
      validUntil: t('certificate.pdf.valid_until'),
      number: t('certificate.pdf.number'),
      verifyAt: t('certificate.pdf.verify_at'),
      seal: t('certificate.pdf.seal'),
    },
  };
}
