import { z } from 'zod';

/** The sixteen languages of the product, as BCP 47 tags. */
export const LOCALES = [
  'ar',
  'pt-BR',
  'en',
  'fr',
  'fr-CA',
  'de',
  'id',
  'it',
  'ja',
  'ko',
  'es-419',
  'pl',
  'pt',
  'sr-Cyrl',
  'es',
  'vi',
] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en';

/** The user id of anonymous and deleted users. */
export const ANONYMOUS_USER_ID = '00000000-0000-0000-0000-000000000000';

/** The name of a deleted account in every reply, in English. */
export const DELETED_USER_NAME = 'Deleted user';

/** Accompanies a name in replies, so that clients can translate it. */
export const IsDeletedUser = z
  .literal(true)
  .optional()
  .describe(`Present for a deleted account only: the name is then \`${DELETED_USER_NAME}\`; show your own translation`);

/** The maximum page size of lists without a higher default. */
export const MAX_PAGE_SIZE = 100;
export const MAX_OFFSET = 10_000;

export const LocaleCode = z.enum(LOCALES).describe('One of the sixteen supported languages');

/** Accepts any RFC 9562 text form in either case and converts it to lower case. */
export const Uuid = z
  .guid('Must be a UUID')
  .toLowerCase()
  .describe('UUID; replies use lower case')
  .meta({ examples: ['0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57'] });

export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .describe('ISO 8601 UTC with milliseconds')
  .meta({ examples: ['2026-11-21T09:30:00.000Z'] });

/** The database has no year 0. */
const hasYear = (value: string) => !value.startsWith('0000');
const NO_YEAR = 'Must be a date after the year 0';

/** A day without a time. */
export const Day = z.iso.date('Must be a date, such as 2026-11-21').refine(hasYear, NO_YEAR);

/** A moment with its offset; a date alone is refused. */
export const ExactMoment = z.iso.datetime({
  offset: true,
  error: ({ input }) =>
    /^\d{4}-\d{2}-\d{2}$/.test(String(input))
      ? 'A date alone is not enough: add the time and its offset'
      : 'Must be an ISO 8601 date and time with its offset',
});
/** An exact moment that the database can hold. */
export const StoredMoment = ExactMoment.refine(hasYear, NO_YEAR);

/** A moment in time. A date alone means the start of that day in UTC. */
export const Moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'Must be an ISO 8601 date and time, or a date alone')
  .refine(hasYear, NO_YEAR)
  .describe('ISO 8601 date and time with offset, or a date (the start of that day in UTC)');

/** An id of the content platform. */
export const EntryId = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9._-]+$/, 'Must be 1 to 64 letters, digits, dots, underscores or hyphens');

export const Slug = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[a-z0-9-]+$/, 'Must be 1 to 128 lower-case letters, digits or hyphens');

/** Slugs of older articles contain letters of any script, so path parameters accept more than new slugs contain. */
export const SlugParam = z.string().min(1).max(256);

/** `me` or a user id. */
export const UserRef = z.union([z.literal('me'), Uuid]);

/** A text whose length is counted in Unicode code points, in NFC and after trimming. */
export function text(limits: { min?: number; max: number; name?: string }) {
  const length = (value: string) => [...value].length;
  const what = limits.name ?? 'Text';
  let schema = z.string().normalize('NFC').trim();
  if (limits.min !== undefined) {
    const min = limits.min;
    schema = schema.refine((value) => length(value) >= min, {
      message: `${what} must have at least ${min} character${min === 1 ? '' : 's'}`,
      abort: true,
    });
  }
  return schema
    .refine((value) => length(value) <= limits.max, { message: `${what} must have at most ${limits.max} characters` })
    .meta({ minLength: limits.min, maxLength: limits.max });
}

const NO_EMAIL = 'Must be an e-mail address';

/** An e-mail address, compared and stored in lower case. Quoted local parts and comments are not accepted. */
export const Email = z
  .string()
  .trim()
  .max(254, { error: NO_EMAIL, abort: true })
  .regex(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
    { error: NO_EMAIL, abort: true },
  )
  .toLowerCase() // after the check, because some non-ASCII letters have an ASCII lower case
  .refine((value) => value.indexOf('@') <= 64, NO_EMAIL)
  .meta({ format: 'email', examples: ['learner@example.gov'] });

/** RFC 3986 with a host, as RFC 9110 requires: scheme, user, host or bracketed IPv6 address, port, path. */
const HTTP_URL =
  /^https?:\/\/(?:[^/?#[\]@]*@)?(?:\[[\da-f:.]+\]|[^/?#[\]@:]+)(?::\d*)?(?:[/?][^#[\]]*)?(?:#[^#[\]]*)?$/i;
const URL_CHARACTERS = /^(?:[\w.~!$&'()*+,;=:@/?#[\]-]|%[\da-f]{2})*$/i;

/** A strictly valid web address; what browsers would silently repair is refused. */
export const HttpUrl = z
  .string()
  .trim()
  .max(2048)
  .refine(
    (value) => HTTP_URL.test(value) && URL_CHARACTERS.test(value) && URL.canParse(value),
    'Must be an http or https address',
  )
  .meta({ format: 'uri' });

/** A map of locale to text with at least one entry and only supported locales. */
export function localizedString(limits: { min?: number; max?: number } = {}) {
  return z
    .record(z.string(), z.string())
    .superRefine((map, context) => {
      const locales = Object.keys(map);
      if (locales.length === 0) context.addIssue({ code: 'custom', message: 'At least one locale must be provided' });
      for (const locale of locales) {
        if (!(LOCALES as readonly string[]).includes(locale))
          context.addIssue({
            code: 'custom',
            path: [locale],
            message: `Invalid locale provided. Valid locales are ${LOCALES.join(', ')}`,
          });
      }
      for (const [locale, value] of Object.entries(map)) {
        const length = [...value.normalize('NFC').trim()].length;
        if (limits.min !== undefined && length < limits.min)
          context.addIssue({
            code: 'custom',
            path: [locale],
            message: `String length is less than minimum allowed length of ${limits.min}`,
          });
        if (limits.max !== undefined && length > limits.max)
          context.addIssue({
            code: 'custom',
            path: [locale],
            message: `String length exceeds maximum allowed length of ${limits.max}`,
          });
      }
    })
    .describe('A text in one or more languages, keyed by locale');
}
export type LocalizedText = Partial<Record<Locale, string>>;

/** A stored multilingual text in a reply. */
export const LocalizedAnswer = z.record(z.string(), z.string());

const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Must be a whole number')
  .transform(Number);

/** A `limit` query parameter: positive and at most `max`. */
export function limitParam(defaultLimit: number, max = Math.max(MAX_PAGE_SIZE, defaultLimit)) {
  return wholeNumber
    .refine((value) => value > 0, 'Must be a positive number')
    .refine((value) => value <= max, `Must be at most ${max}`)
    .default(defaultLimit)
    .meta({ type: 'integer', minimum: 1, maximum: max, description: 'Maximum number of items' });
}

/** A `limit` query parameter for which 0 means the default. */
export function lenientLimitParam(defaultLimit: number, max = Math.max(MAX_PAGE_SIZE, defaultLimit)) {
  return wholeNumber
    .refine((value) => value >= 0, 'Must be a positive number')
    .refine((value) => value <= max, `Must be at most ${max}`)
    .transform((value) => value || defaultLimit)
    .default(defaultLimit)
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: max,
      description: `Maximum number of items; 0 means ${defaultLimit}`,
    });
}

/** An `offset`, `skip` or `after` query parameter. */
export function offsetParam() {
  return wholeNumber
    .refine((value) => value >= 0, 'Must be at least 0')
    .refine((value) => value <= MAX_OFFSET, `Must be at most ${MAX_OFFSET}; filter the list to see what lies beyond`)
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: MAX_OFFSET, description: 'Number of items to skip' });
}

export const booleanParam = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });

/** The body of every error. */
export const ErrorBody = z
  .object({
    statusCode: z.int(),
    error: z.string().describe('The HTTP reason phrase'),
    message: z.string(),
    requestId: z.string(),
    code: z.string().optional().describe('Stable error code'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('Invalid fields; `message` repeats the first'),
    challenge: z
      .string()
      .optional()
      .describe('With `auth.second_factor_required`: the challenge to send with the second factor'),
    methods: z
      .array(z.string())
      .optional()
      .describe('With `auth.second_factor_required`: the methods the account can use'),
  })
  .meta({ id: 'Error' });
