import { DEFAULT_LOCALE } from '@officium/contract/common';
import type { Certificate, verifyCertificate } from '@officium/contract/learner';
import type { ReplyOf } from '@officium/contract/endpoint';
import { createTranslator } from '@officium/i18n/catalogue';
import { isLocale } from '@officium/i18n/locales';
import type { z } from 'zod';
import type { CertificateDocument } from './pdf.view.ts';
import { pagePath } from '#server/page-address.ts';
import type { CertificateJson, PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';

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

export function toVerification(
  row: PublicCertificateRow,
  { publicUrl, issuer }: { publicUrl: string; issuer: string },
): ReplyOf<typeof verifyCertificate> {
  return {
    certificate: {
      publicId: row.public_id,
      status: row.revoked_at === null ? 'valid' : 'revoked',
      nameOnCertificate: row.name_on_certificate,
      courseTitle: row.course_title,
      journeyTitle: row.journey_title,
      courseSlug: row.open_course_slug,
      lessons: row.lessons,
      minutes: row.minutes,
      locale: row.locale,
      issuer,
      issuedAt: row.issued_at.toISOString(),
      revokedAt: row.revoked_at?.toISOString() ?? null,
      revocationReason: row.revocation_reason,
      ...certificateAddresses(publicUrl, row.public_id),
      ...credentialFiles(publicUrl, row.public_id),
    },
  };
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
    labels: {
      title: t('certificate.pdf.title'),
      certifies: t('certificate.pdf.certifies'),
      completed: t('certificate.pdf.completed'),
      lessons: t('certificate.pdf.lessons', { lessons: row.lessons }),
      issuedOn: t('certificate.pdf.issued_on'),
      number: t('certificate.pdf.number'),
      verifyAt: t('certificate.pdf.verify_at'),
    },
  };
}
