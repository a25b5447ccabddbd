import { z } from 'zod';
import { LocaleCode, SlugParam, UserRef } from './common.ts';
import { endpoint } from './endpoint.ts';
import { NameOnCertificate } from './learner.ts';

/** Reasons this service refuses a request, with their status. */
export const assetsErrors = {
  'assets.bad_image': {
    status: 400,
    message: 'Send one JPEG, PNG, WebP or GIF file of at most 5 MiB and 25 megapixels, named file.',
  },
  'assets.no_preview': { status: 400, message: 'There is no preview of this address.' },
} as const;

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
  errors: ['learner.not_completed', 'request.not_found'],
});

export const uploadProfileImage = endpoint({
  name: 'uploadProfileImage',
  service: 'assets',
  method: 'POST',
  path: '/users/{userId}/profile-images',
  auth: 'user',
  summary: 'upload a profile image (multipart)',
  description:
    "One's own only. One part named `file`: JPEG, PNG, WebP or GIF (its first frame), at most 5 MiB and 25 megapixels; anything else is 400. It is turned upright, cut to a square around its middle and kept as WebP in sRGB of 512 and 128 pixels without metadata; the profile shows it at once, and the files of the one before are deleted.",
  params: z.object({ userId: UserRef }),
  upload: 'file',
  replies: { 201: z.object({ originalURL: z.url(), thumbnailURL: z.url() }) },
  errors: ['auth.forbidden', 'assets.bad_image'],
});

export const LinkPreview = z
  .object({
    url: z.url().describe('Where the page was found, after redirects'),
    title: z.string().describe('og:title, twitter:title or the title; a page without one goes by its site or host'),
    description: z.string().optional(),
    image: z
      .object({
        src: z.url(),
        width: z.int().optional(),
        height: z.int().optional(),
        alt: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'LinkPreview' });

export const readLinkPreview = endpoint({
  name: 'readLinkPreview',
  service: 'assets',
  method: 'GET',
  path: '/link-previews/{encodedUrl}',
  auth: 'user',
  summary: 'preview of a linked page',
  description:
    'The address is an absolute http or https URL of at most 2048 characters, in base64 or base64url. Only public addresses on the ports 80 and 443, without credentials; at most 3 redirects, 5 s and 512 KiB of HTML. What cannot be previewed, a page that says nothing of itself too, is 400. Answers are remembered for a day, refusals for ten minutes.',
  params: z.object({ encodedUrl: z.string().min(1).max(4096) }),
  replies: { 200: LinkPreview },
  errors: ['assets.no_preview'],
});
