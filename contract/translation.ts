import { z } from 'zod';
import { LocaleCode, SlugParam, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { NO_CONTENT, RichTextDocument, textOf } from './rich-text.ts';

/** Errors of this service, with their status. */
export const translationErrors = {
  'translation.unavailable': { status: 503, message: 'Translation is not available here at the moment.' },
  'translation.invalid': { status: 502, message: 'The translation that came back is not valid.' },
} as const;

export const MAX_TRANSLATION_LENGTH = 15_000;
export const DEFAULT_TEMPERATURE = 0.2;
export const TRANSLATION_MODELS = { fast: 'gemini-2.0-flash', pro: 'gemini-2.5-pro' } as const;
export type ModelClass = keyof typeof TRANSLATION_MODELS;

const LONG_CONTENT = `Content must not exceed ${MAX_TRANSLATION_LENGTH} characters`;

/** A missing field gets the message of an empty one. */
const orMissing = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? message : undefined;
const isFilled = (value: string) => value.trim() !== '';
const isShort = (value: string) =>
  value.length <= MAX_TRANSLATION_LENGTH || [...value.normalize('NFC').trim()].length <= MAX_TRANSLATION_LENGTH;

/** Accepts model names in the forms providers use: `gemini-2.0-flash`, `google/gemini-2.5-pro-preview`, `2.0-flash`. */
function modelClassOf(name: string): ModelClass | undefined {
  const plain = name.trim().toLowerCase().replaceAll(/[._ ]/g, '-');
  if (/^(?:[a-z]{1,20}[/-]){0,3}2-0-flash(?:-[a-z0-9-]{1,40})?$/.test(plain)) return 'fast';
  if (/^(?:[a-z]{1,20}[/-]){0,3}2-5-pro(?:-[a-z0-9-]{1,40})?$/.test(plain)) return 'pro';
  return undefined;
}

const Model = z
  .string()
  .max(100)
  .default(TRANSLATION_MODELS.fast)
  .transform((name, context): ModelClass => {
    const found = modelClassOf(name);
    if (found) return found;
    const message = `Model must be ${TRANSLATION_MODELS.fast} or ${TRANSLATION_MODELS.pro}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .describe(
    `Class of model: \`${TRANSLATION_MODELS.fast}\` (2.0 flash-class) or \`${TRANSLATION_MODELS.pro}\` (2.5 pro-class), also in the longer forms providers use. The installation decides which model serves a class`,
  );

const oneLocale = (which: 'Source' | 'Target') =>
  z
    .array(LocaleCode, { error: orMissing(`${which} locale must not be empty`) })
    .min(1, { error: `${which} locale must not be empty`, abort: true })
    .max(1, `${which} locale must have length one`)
    .transform(([locale]) => locale!); // min and max ensure exactly one

const options = {
  model: Model,
  temperature: z
    .number()
    .min(0, 'Temperature must be at least 0')
    .max(2, 'Temperature must be at most 2')
    .default(DEFAULT_TEMPERATURE),
  sourceLocales: oneLocale('Source'),
  targetLocales: oneLocale('Target'),
};

const PlainRequest = z.object({
  content: z
    .string({ error: orMissing(NO_CONTENT) })
    .refine(isFilled, { message: NO_CONTENT, abort: true })
    .refine(isShort, LONG_CONTENT),
  encoding: z.literal('plain-text'),
  ...options,
});
const RichRequest = z.object({
  content: RichTextDocument.refine((document) => isFilled(textOf(document)), { message: NO_CONTENT, abort: true })
    .refine((document) => isShort(textOf(document)), LONG_CONTENT)
    .describe('Its length is the total of its texts'),
  encoding: z.literal('rich-text'),
  ...options,
});
export const TranslationRequest = z.discriminatedUnion('encoding', [PlainRequest, RichRequest], {
  error: 'Encoding must be plain-text or rich-text',
});

const errorFormat =
  'Errors are `{error: <sentence>, code}`; the sentence names the path of the faulty node of a rich text. 400 `invalid_request`, 503 `translation_unavailable` without a provider, 502 `invalid_translation` when the result does not have the structure of the input.';

export const translate = endpoint({
  name: 'translate',
  service: 'content',
  method: 'POST',
  path: '/translations',
  auth: 'user',
  summary: 'Translate plain or rich text',
  description: `For public servants. Rich text comes back with the same nodes, marks and addresses; \`{{<uuid>}}\` mentions stay unchanged. A text is returned unchanged in its own language. ${errorFormat}`,
  body: TranslationRequest,
  replies: {
    200: z.object({
      translations: z
        .record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())]))
        .describe('By locale: a text, or a rich text if one was sent'),
    }),
  },
  errors: ['translation.unavailable', 'translation.invalid'],
});

export const PAYLOAD_TYPES = ['activity_payload', 'reaction_payload'] as const;

export const translatePayload = endpoint({
  name: 'translatePayload',
  service: 'content',
  method: 'PUT',
  path: '/payloads/{id}/translations/{locale}',
  auth: 'user',
  summary: 'Translate a stored activity or reaction',
  description: `Available to everyone who may read it: a post, poll or lesson discussion (\`activity_payload\`), or a reply (\`reaction_payload\`). A text already written in that language is returned unchanged, even without a provider. Bodies are Markdown: links, code, images and \`{{<uuid>}}\` mentions stay unchanged. ${errorFormat}`,
  params: z.object({ id: Uuid, locale: LocaleCode }),
  body: z.object({ payloadType: z.enum(PAYLOAD_TYPES) }),
  replies: { 200: z.object({ title: z.string().nullable(), body: z.string().nullable() }) },
  errors: [
    'translation.unavailable',
    'translation.invalid',
    'learner.not_enrolled',
    'learner.enrolment_pending',
    'learner.enrolment_expired',
  ],
});

const translationInfo = {
  source: LocaleCode.describe('Original language'),
  locale: LocaleCode.describe('Language of this text'),
  machine: z.boolean().describe('True for a machine translation'),
};

export const readPayloadTranslation = endpoint({
  name: 'readPayloadTranslation',
  service: 'content',
  method: 'GET',
  path: '/payloads/{id}/translations/{locale}',
  auth: 'user',
  extension: true,
  summary: 'Read a translated activity or reaction as pages show it',
  description:
    'Like `translatePayload`, with the options of a poll, the body as HTML and the source of the translation.',
  params: z.object({ id: Uuid, locale: LocaleCode }),
  query: z.object({ payloadType: z.enum(PAYLOAD_TYPES) }),
  replies: {
    200: z.object({
      title: z.string().nullable(),
      bodyHtml: z.string().nullable().describe('Sanitised HTML with `{{<uuid>}}` mentions unresolved'),
      options: z.array(z.object({ id: Uuid, body: z.string() })).describe('Poll options in order'),
      ...translationInfo,
    }),
  },
  errors: translatePayload.errors,
});

export const readArticleTranslation = endpoint({
  name: 'readArticleTranslation',
  service: 'content',
  method: 'GET',
  path: '/articles/{slug}/translations/{locale}',
  auth: 'user',
  extension: true,
  summary: 'Read an article in another language',
  description:
    'Available to everyone who may read it. In its own language it is returned unchanged, even without a provider. A translation is created once for all users, and again after the article changes.',
  params: z.object({ slug: SlugParam, locale: LocaleCode }),
  replies: {
    200: z.object({
      title: z.string(),
      subtitle: z.string(),
      tldr: z.string().nullable(),
      html: z.string().describe('Sanitised HTML'),
      ...translationInfo,
    }),
  },
  errors: ['translation.unavailable', 'translation.invalid'],
});

export const listTranslationSources = endpoint({
  name: 'listTranslationSources',
  service: 'content',
  method: 'GET',
  path: '/translations/sources',
  auth: 'user',
  extension: true,
  summary: 'List languages that can be translated',
  description:
    'Lists sources for the target language `locale`, by default that of the request. Empty without a provider.',
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: z.object({ sources: z.array(LocaleCode) }) },
});
