import { z } from 'zod';
import { LOCALES, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { Address } from './site.ts';

/** Notices at the top of every page, for a time. */

export const NOTICE_LEVELS = ['information', 'warning'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];
export const NOTICE_AUDIENCES = ['everyone', 'signed-in'] as const;
export const NOTICE_STATES = ['planned', 'shown', 'ended'] as const;
/** Notices that pages show at once; the oldest make room. */
export const MAX_SHOWN_NOTICES = 3;
export const MAX_NOTICE_LENGTH = 300;

const fields = {
  level: z.enum(NOTICE_LEVELS).describe('Readers can dismiss an information, on each of their devices'),
  audience: z.enum(NOTICE_AUDIENCES),
  texts: z
    .partialRecord(z.enum(LOCALES), text({ max: MAX_NOTICE_LENGTH, name: 'Text' }))
    .transform((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')))
    .refine((given) => Object.keys(given).length > 0, 'Needs a text')
    .describe('Plain text by language; others see the closest'),
  url: Address.nullable().default(null).describe('Where readers find more'),
  startsAt: Timestamp,
  endsAt: Timestamp.nullable().default(null).describe('null: until it is removed'),
};

const isInOrder = ({ startsAt, endsAt }: { startsAt: string; endsAt: string | null }) =>
  endsAt === null || startsAt < endsAt;
const ORDER = { message: 'Must be after the start', path: ['endsAt'] };

export const SiteNotice = z
  .object({
    ...fields,
    id: Uuid,
    version: z.int(),
    state: z.enum(NOTICE_STATES),
    changedAt: Timestamp,
  })
  .meta({ id: 'SiteNotice' });
export type SiteNotice = z.output<typeof SiteNotice>;

const admin = { service: 'admin', auth: 'admin', extension: true } as const;
const params = z.object({ id: Uuid });

export const listSiteNotices = endpoint({
  ...admin,
  name: 'listSiteNotices',
  method: 'GET',
  path: '/site/notices',
  summary: 'List the notices of the site, latest start first',
  description: 'The latest 200. The audit log holds their earlier texts.',
  replies: { 200: z.object({ notices: z.array(SiteNotice) }) },
});

export const createSiteNotice = endpoint({
  ...admin,
  name: 'createSiteNotice',
  method: 'POST',
  path: '/site/notices',
  summary: 'Show a notice on every page',
  description: `From its start, to its end. At most ${MAX_SHOWN_NOTICES} are shown at once, those with the latest start.`,
  body: z.object(fields).refine(isInOrder, ORDER),
  replies: { 201: SiteNotice },
});

export const updateSiteNotice = endpoint({
  ...admin,
  name: 'updateSiteNotice',
  method: 'PUT',
  path: '/site/notices/{id}',
  summary: 'Change a notice',
  description: 'Readers who dismissed it see it again. The same values again make no version.',
  params,
  body: z
    .object({ ...fields, version: z.int().min(1).describe('The version the change is based on; any other is 409') })
    .refine(isInOrder, ORDER),
  replies: { 200: SiteNotice },
  errors: ['request.not_found', 'site.changed_meanwhile'],
});

export const deleteSiteNotice = endpoint({
  ...admin,
  name: 'deleteSiteNotice',
  method: 'DELETE',
  path: '/site/notices/{id}',
  summary: 'Delete a notice',
  params,
  replies: { 204: null },
  errors: ['request.not_found'],
});
