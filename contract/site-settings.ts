import { z } from 'zod';
import { LocaleCode, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';
import { LOGO_THEMES, SITE_PAGES, SiteIdentity } from './site.ts';

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
  history: z
    .array(z.object({ version: z.int(), changedAt: Timestamp, identity: SiteIdentity }))
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
