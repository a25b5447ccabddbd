import { z } from 'zod';
import { LocaleCode, SlugParam } from './common.ts';
import { endpoint } from './endpoint.ts';
import { NameOnCertificate } from './learner.ts';

/** Reasons this service refuses a request, with their status. */
export const assetsErrors = {} as const;

export const createMyCertificate = endpoint({
  name: 'createMyCertificate',
  service: 'assets',
  method: 'POST',
  path: '/learners/me/certificates',
  auth: 'user',
  summary: 'issue a certificate for a completed journey',
  description:
    'The same certificate as the learner service gives; the name is fixed when it is first issued. `journeyTitle` is a hint and ignored: the title comes from the catalogue.',
  body: z.object({
    courseSlug: SlugParam,
    journeySlug: SlugParam,
    journeyTitle: z.string().nullish(),
    nameOnCertificate: NameOnCertificate,
    locale: LocaleCode.optional(),
  }),
  replies: { 201: z.object({ certificateUrl: z.url() }) },
  errors: ['learner.not_completed'],
});
