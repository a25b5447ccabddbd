import { z } from 'zod';
import { IsDeletedUser, LocaleCode, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';
import { CERTIFICATE_PICTURES, CertificateDesign, LOGO_THEMES, SITE_PAGES, SiteIdentity } from './site.ts';

/** Earlier versions in a reply. */
export const SITE_HISTORY = 20;

const kind = z.enum(SITE_PAGES);

export const SiteSettings = z.object({
  version: z.int().describe('0 before the first change'),
  identity: SiteIdentity,
  shownName: z.string().describe('The name in force'),
  nameIsFixed: z.boolean().describe('The name comes from PROVIDER_NAME, which wins over `identity.name`'),
  colours: z
    .object({
      light: z.string().describe('The accent on light pages'),
      dark: z.string().describe('The accent on dark pages'),
      isAdjusted: z.boolean().describe('The chosen colour had too little contrast on light pages'),
    })
    .nullable(),
  certificateColour: z
    .object({ shown: z.string(), isAdjusted: z.boolean().describe('The chosen colour had too little contrast') })
    .nullable(),
  history: z
    .array(
      z.object({
        version: z.int(),
        changedAt: Timestamp,
        actorName: z.string().nullable().describe('The current name of the administrator who made it'),
        isActorDeleted: IsDeletedUser,
        identity: SiteIdentity,
      }),
    )
    .describe(`The newest ${SITE_HISTORY} versions, newest first`),
});
export type SiteSettings = z.output<typeof SiteSettings>;

const admin = { service: 'admin', auth: 'admin', extension: true } as const;
const version = z.int().min(0).describe('The version the change is based on, 0 for none; any other version is 409');

export const readSiteSettings = endpoint({
  ...admin,
  name: 'readSiteSettings',
  method: 'GET',
  path: '/site',
  summary: 'Read the name, texts and colours of the site',
  replies: { 200: SiteSettings },
});

export const updateSiteSettings = endpoint({
  ...admin,
  name: 'updateSiteSettings',
  method: 'PUT',
  path: '/site',
  summary: 'Change the name, texts and colours of the site',
  description:
    'Replaces all of them and takes effect at once. Fields left out get their defaults. The same values again make no version.',
  body: z.object({ version, identity: SiteIdentity }),
  replies: { 200: SiteSettings },
  errors: ['site.changed_meanwhile'],
});

export const uploadSiteLogo = endpoint({
  ...admin,
  name: 'uploadSiteLogo',
  method: 'POST',
  path: '/site/logo/{theme}',
  summary: 'Upload a logo (multipart)',
  description:
    'A JPEG, PNG, WebP or GIF of at most 5 MiB. It is shown at once, as WebP of at most 1200 pixels. To remove it, change the settings.',
  params: z.object({ theme: z.enum(LOGO_THEMES) }),
  upload: 'file',
  replies: { 201: SiteSettings },
  errors: ['assets.bad_image'],
});

export const uploadCertificatePicture = endpoint({
  ...admin,
  name: 'uploadCertificatePicture',
  method: 'POST',
  path: '/site/certificate/{slot}',
  summary: 'Upload the seal or a signature for certificates (multipart)',
  description:
    'A JPEG, PNG, WebP or GIF of at most 5 MiB, stored as WebP of at most 1200 pixels. New certificates have it at once. To remove it, change the settings.',
  params: z.object({ slot: z.enum(CERTIFICATE_PICTURES) }),
  upload: 'file',
  replies: { 201: SiteSettings },
  errors: ['assets.bad_image'],
});

/** A signature in the query of a preview. */
const signed = {
  name: z.string().trim().max(80, 'Name must have at most 80 characters').default(''),
  office: z.string().trim().max(120, 'Office must have at most 120 characters').default(''),
};

export const previewCertificate = endpoint({
  ...admin,
  name: 'previewCertificate',
  method: 'GET',
  path: '/site/certificate-preview.pdf',
  summary: 'Draw a sample certificate with a design',
  description:
    'Stores nothing. With the pictures and the logo in force. The parameters are fields of a design; the offices are in the language of `locale`.',
  query: z.object({
    layout: CertificateDesign.shape.layout,
    colour: z
      .literal('')
      .transform(() => null)
      .or(CertificateDesign.shape.colour)
      .describe('Empty: that of the product'),
    showsLogo: z.string().max(5).optional().describe('Absent: without the logo'),
    name1: signed.name,
    office1: signed.office,
    name2: signed.name,
    office2: signed.office,
    locale: LocaleCode.optional(),
  }),
  download: 'application/pdf',
  replies: { 200: z.unknown() },
});

export const SitePageText = z.object({
  locale: LocaleCode,
  version: z.int(),
  body: z.string().describe('Markdown; empty for a withdrawn text'),
  changedAt: Timestamp,
});
export type SitePageText = z.output<typeof SitePageText>;

export const readSitePageTexts = endpoint({
  ...admin,
  name: 'readSitePageTexts',
  method: 'GET',
  path: '/site/pages/{kind}',
  summary: 'Read a page of the site in all its languages',
  params: z.object({ kind }),
  replies: { 200: z.object({ kind, texts: z.array(SitePageText) }) },
});

export const updateSitePage = endpoint({
  ...admin,
  name: 'updateSitePage',
  method: 'PUT',
  path: '/site/pages/{kind}/{locale}',
  summary: 'Change a page of the site in one language',
  description:
    'Takes effect at once. An empty text withdraws the language. Earlier versions are kept. The same text again makes no version.',
  params: z.object({ kind, locale: LocaleCode }),
  body: z.object({ version, body: z.string() }),
  replies: { 200: SitePageText },
  errors: ['site.changed_meanwhile'],
});
