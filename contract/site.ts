import { z } from 'zod';
import { Email, LOCALES, LocaleCode, text, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of the site's own settings, with their status. */
export const siteErrors = {
  'site.changed_meanwhile': { status: 409, message: 'Someone else changed this after you opened it.' },
} as const;

/** Pages that the installation writes itself. */
export const SITE_PAGES = ['privacy', 'terms', 'imprint', 'accessibility'] as const;
export type SitePageKind = (typeof SITE_PAGES)[number];

export const MAX_SITE_LINKS = 8;

/** A text in some languages; empty ones count as absent. */
const texts = (name: string, max: number) =>
  z
    .partialRecord(z.enum(LOCALES), text({ max, name }))
    .transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
    .default({});

/** A link by its whole address, without user names, or by a path on this site. */
export const Address = z
  .string()
  .trim()
  .max(500)
  .regex(
    /^(?:https:\/\/[^\s/?#"'<>\\@]+(?:[/?#][^\s"'<>\\]*)?|\/(?![/\\])[^\s"'<>\\]*)$/u,
    'Must be an https address or a path on this site',
  );

// Control characters, line ends and marks that turn the direction of the text around the name.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** A text of one line that shows something. */
const line = (name: string, max: number) =>
  text({ min: 1, max, name })
    .refine((value) => !UNPRINTABLE.test(value), `${name} must be one line without control characters`)
    .refine((value) => /[\p{L}\p{N}]/u.test(value), `${name} must have a letter or digit`);

/** Logos for light and for dark pages. */
export const LOGO_THEMES = ['light', 'dark'] as const;
export type LogoTheme = (typeof LOGO_THEMES)[number];

export const SiteLogo = z
  .object({
    key: z
      .string()
      .regex(/^[0-9a-f]{64}\.webp$/, 'Must be the key of an uploaded logo')
      .describe('The file is `/content-assets/<key>`'),
    width: z.int().min(1).max(4096),
    height: z.int().min(1).max(4096),
  })
  .meta({ id: 'SiteLogo' });
export type SiteLogo = z.output<typeof SiteLogo>;

export const CERTIFICATE_LAYOUTS = ['pattern', 'frame', 'bar'] as const;
export const CERTIFICATE_PICTURES = ['seal', 'signature1', 'signature2'] as const;
export type CertificatePicture = (typeof CERTIFICATE_PICTURES)[number];
export const MAX_SIGNATURES = 2;

const colour = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'Must be a colour such as #0b6e6e')
  .nullable()
  .default(null);

/** How new certificates look. Each certificate keeps the look it was issued with. */
export const CertificateDesign = z
  .object({
    layout: z
      .enum(CERTIFICATE_LAYOUTS)
      .default('pattern')
      .describe('A band of tiles at the side, a frame, or a bar at the top'),
    colour: colour.describe('As chosen; drawn darker where text needs contrast. null: that of the product'),
    showsLogo: z.boolean().default(true).describe('The logo of the site in place of its name'),
    pictures: z
      .object({
        seal: SiteLogo.nullable().default(null),
        signature1: SiteLogo.nullable().default(null),
        signature2: SiteLogo.nullable().default(null),
      })
      .prefault({}),
    signatures: z
      .array(
        z.object({
          name: text({ max: 80, name: 'Name' }).refine((value) => !UNPRINTABLE.test(value), 'Name must be one line'),
          office: texts('Office', 120),
        }),
      )
      .max(MAX_SIGNATURES)
      .default([])
      .describe('Who signs, in the order of their pictures; one without a name and picture is left out'),
  })
  .meta({ id: 'CertificateDesign' });
export type CertificateDesign = z.output<typeof CertificateDesign>;

export const SiteIdentity = z
  .object({
    name: line('Name', 60).nullable().default(null).describe('null: the name of the settings'),
    note: texts('Note', 300).describe('The sentence in the footer'),
    headline: texts('Headline', 120).describe('The headline of the front page'),
    lead: texts('Introduction', 400).describe('The text below the headline'),
    accent: colour.describe(
      'The colour of buttons and links, as chosen. Pages show it darker or lighter where text needs contrast',
    ),
    certificate: CertificateDesign.prefault({}),
    links: z
      .array(
        z.object({
          label: texts('Label', 60).refine((label) => Object.keys(label).length > 0, 'Needs a label'),
          url: Address,
        }),
      )
      .max(MAX_SITE_LINKS)
      .default([])
      .describe('Links in the footer'),
    logo: SiteLogo.nullable().default(null).describe('Shown in place of the mark and the name'),
    logoDark: SiteLogo.nullable().default(null).describe('On dark pages, in place of `logo`'),
    contact: Email.nullable().default(null).describe('The address for questions, shown in the footer and in mails'),
    languages: z
      .array(z.enum(LOCALES))
      .min(1)
      .max(LOCALES.length)
      .nullable()
      .default(null)
      .describe(
        'The languages that the site offers its readers, beside `defaultLanguage`; null: all. Operations accept every language all the same.',
      ),
    defaultLanguage: LocaleCode.default('en').describe(
      'Always offered. For readers whose own languages the site does not offer',
    ),
  })
  .meta({ id: 'SiteIdentity' });
export type SiteIdentity = z.output<typeof SiteIdentity>;

const kind = z.enum(SITE_PAGES);

export const readSite = endpoint({
  service: 'content',
  auth: 'none',
  extension: true,
  name: 'readSite',
  method: 'GET',
  path: '/site',
  summary: 'Read what the site shows of itself',
  replies: {
    200: z.object({
      name: z.string(),
      note: z.string().nullable(),
      contact: z.string().nullable(),
      pages: z.array(kind).describe('The pages that the site has written itself'),
    }),
  },
});

export const readSitePage = endpoint({
  service: 'content',
  auth: 'none',
  extension: true,
  name: 'readSitePage',
  method: 'GET',
  path: '/site/pages/{kind}',
  summary: 'Read a page of the site',
  description:
    'In the requested language, else in one it falls back to, else in any. 404 when the site has not written it.',
  params: z.object({ kind }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: z.object({ kind, locale: LocaleCode, bodyHtml: z.string(), changedAt: Timestamp }) },
  errors: ['request.not_found'],
});
