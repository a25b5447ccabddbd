import type { Locale } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import type { Issuer } from './credential.view.ts';
import { toDocument } from './certificate.view.ts';
import type { CertificateDocument } from './pdf.view.ts';

const NUMBER = '0'.repeat(32);
const YEAR_MS = 365 * 86_400_000;

/** The content of a sample certificate, in a language. */
export function toSample(locale: Locale, issuer: Issuer, now: Date): CertificateDocument {
  const { t } = createTranslator(locale);
  const document = toDocument(
    {
      id: '',
      public_id: NUMBER,
      name_on_certificate: t('certificate.sample_name'),
      course_title: t('certificate.sample_course'),
      journey_title: t('certificate.sample_course'),
      open_course_slug: null,
      locale,
      lessons: 12,
      minutes: 390,
      issued_at: now,
      expires_at: new Date(now.getTime() + 2 * YEAR_MS),
      is_expired: false,
      follows: null,
      siteIdentity: null,
      revoked_at: null,
      revocation_reason: null,
      journey_key: '',
      status_position: 0,
      issuer: issuer.issuer,
      assessments: null,
    },
    issuer,
  );
  return { ...document, journeyTitle: '' };
}
