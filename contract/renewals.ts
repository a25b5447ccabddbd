import { z } from 'zod';
import { SlugParam, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of renewals, with their status. */
export const renewalErrors = {
  'learner.cannot_renew': { status: 409, message: 'This certificate cannot be renewed now.' },
  'learner.certificate_replaced': { status: 409, message: 'A newer certificate has replaced this one.' },
} as const;

/** The most months for which a certificate can be valid. */
export const MAX_CERTIFICATE_MONTHS = 120;

export const CertificateMonths = z
  .int()
  .min(1, 'Certificates must be valid for at least 1 month')
  .max(MAX_CERTIFICATE_MONTHS, `Certificates must be valid for at most ${MAX_CERTIFICATE_MONTHS} months`)
  .nullable()
  .describe('Months for which a new certificate is valid; null: without end');

export const CertificateValidity = z
  .object({
    expiresAt: Timestamp.describe('The end of a day in UTC'),
    isExpired: z.boolean(),
    renewal: z
      .enum(['closed', 'open', 'begun', 'finished'])
      .describe(
        'closed: not possible now · open: may begin · begun: lessons are completed again · finished: the next certificate may be issued',
      ),
    isRequired: z.boolean().describe('One of my cohorts asks for the journey'),
  })
  .meta({ id: 'CertificateValidity' });

export const renewMyCertificate = endpoint({
  name: 'renewMyCertificate',
  service: 'learner',
  method: 'PUT',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/renewal',
  auth: 'user',
  extension: true,
  summary: 'Begin to renew my certificate (idempotent)',
  description:
    'Opens the journey again: its lessons have to be completed and its assessments passed again. Then `issueMyCertificate` issues the certificate that follows; until then the current one stays. Possible in the last 60 days of a certificate, though not in the first half of its time, and after its end. Needs an active enrolment.',
  params: z.object({ courseSlug: SlugParam, journeySlug: SlugParam }),
  replies: { 204: null },
  errors: [
    'learner.cannot_renew',
    'learner.not_enrolled',
    'learner.enrolment_pending',
    'learner.enrolment_expired',
    'request.not_found',
  ],
});
