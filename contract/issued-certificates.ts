import { z } from 'zod';
import { Day, limitParam, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { REVOCATION_REASONS } from './learner.ts';

const INVALID_TOKEN = 'The continuation token is not valid';

/** Certificates are counted up to this number. */
export const MAX_COUNTED_CERTIFICATES = 1000;

export const ISSUED_STATES = ['valid', 'expired', 'renewed', 'revoked'] as const;

export const IssuedCertificate = z
  .object({
    number: z.string(),
    nameOnCertificate: z.string(),
    personId: Uuid,
    organization: z.string().nullable().describe('The current one of the profile'),
    courseSlug: z.string(),
    courseTitle: z.string().describe('As stated on the certificate'),
    journeyTitle: z.string().describe('As stated on the certificate'),
    state: z.enum(ISSUED_STATES).describe('renewed: a later certificate follows it'),
    issuedAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
    revocationReason: z.enum(REVOCATION_REASONS).nullable(),
  })
  .meta({ id: 'IssuedCertificate' });
export type IssuedCertificate = z.output<typeof IssuedCertificate>;

export const listIssuedCertificates = endpoint({
  name: 'listIssuedCertificates',
  service: 'admin',
  method: 'GET',
  path: '/certificates',
  auth: 'admin',
  capability: 'read-reports',
  extension: true,
  summary: 'List issued certificates, newest first',
  description: `Those in the places whose reports I may read: of a course, or of the members of a cohort in what the cohort asks for. Filters restrict them further; one that matches nothing that I may read gives an empty list, but a cohort whose reports I may not read is 404. Certificates that a corrected name replaced are left out. \`counted\` is at most ${MAX_COUNTED_CERTIFICATES}; \`hasMore\` says that there are more. A \`continuationToken\` follows while there are further pages; an invalid one, also after its certificate was erased, is 400.`,
  query: z.object({
    course: SlugParam.optional(),
    cohort: Uuid.optional(),
    organization: text({ min: 1, max: 256, name: 'Organisation' }).optional().describe('The exact name, in any case'),
    state: z.enum(ISSUED_STATES).optional(),
    from: Day.optional().describe('The first day of issue, UTC'),
    to: Day.optional().describe('The last day of issue, UTC'),
    limit: limitParam(50),
    continuationToken: z.string().max(200, INVALID_TOKEN).optional(),
  }),
  replies: {
    200: z.object({
      certificates: z.array(IssuedCertificate),
      counted: z.int().min(0),
      hasMore: z.boolean(),
      continuationToken: z.string().optional(),
    }),
  },
  errors: ['request.not_found'],
});
