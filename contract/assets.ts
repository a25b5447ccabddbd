import { z } from 'zod';
import { LocaleCode, SlugParam, UserRef } from './common.ts';
import { endpoint } from './endpoint.ts';
import { NameOnCertificate } from './learner.ts';

/** Errors of this service, with their status. */
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
  summary: 'Issue a certificate for a completed journey',
  description:
    'Returns the same certificate as the learner service. The name is fixed when the certificate is first issued. `journeyTitle` is ignored; the title comes from the catalogue.',
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
  summary: 'Upload a profile image (multipart)',
  description:
    'Only for your own account. One part named `file`: JPEG, PNG, WebP or GIF (first frame), at most 5 MiB and 25 megapixels; anything else is 400. The image is rotated upright, cropped to a centred square and stored as WebP in sRGB, 512 and 128 pixels wide, without metadata. It replaces the previous image, whose files are deleted.',
  params: z.object({ userId: UserRef }),
  upload: 'file',
  replies: { 201: z.object({ originalURL: z.url(), thumbnailURL: z.url() }) },
  errors: ['auth.forbidden', 'assets.bad_image'],
});

export const LinkPreview = z
  .object({
    url: z.url().describe('Address of the page after redirects'),
    title: z.string().describe('og:title, twitter:title or the page title; otherwise the name of the site or its host'),
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
  summary: 'Preview a linked page',
  description:
    '`encodedUrl` is an absolute http or https URL of at most 2048 characters, in base64 or base64url. Only public addresses on ports 80 and 443 without credentials are fetched, with at most 3 redirects, 5 s and 512 KiB of HTML. A page that cannot be previewed, or that has no metadata, is 400. Previews are cached for a day, failures for ten minutes.',
  params: z.object({ encodedUrl: z.string().min(1).max(4096) }),
  replies: { 200: LinkPreview },
  errors: ['assets.no_preview'],
});
