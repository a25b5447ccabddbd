import {
  DEFAULT_LOCALE,
  Email,
  EntryId,
  LocaleCode,
  type LocalizedText,
  localizedString,
  Slug,
} from '@officium/contract/common';
import { z } from 'zod';
import { isUnstorable, UNSTORABLE } from '#server/text/storable.ts';

export const MAX_SECTIONS = 8;
export const COURSE_TYPES = ['Public', 'Private'] as const;
/** From the widest audience to the narrowest. */
export const SCOPES = ['public', 'authenticated', 'verified', 'private'] as const;
export const JOURNEY_PRIVACIES = [
  ...(['open-public', 'open-private', 'closed-public', 'closed-private'] as const),
  ...(['stripe-public', 'stripe-private'] as const),
] as const;
export const COMMUNITY_PRIVACIES = ['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden'] as const;

const texts = (limits: { min?: number; max: number }) =>
  localizedString(limits)
    .superRefine((map, context) => {
      for (const [locale, value] of Object.entries(map))
        if (isUnstorable(value)) context.addIssue({ code: 'custom', path: [locale], message: UNSTORABLE });
    })
    .transform((map): LocalizedText =>
      Object.fromEntries(Object.entries(map).map(([locale, value]) => [locale, value.trim()])),
    );
const title = texts({ min: 1, max: 200 });
const text = texts({ min: 1, max: 5000 });
const path = z.string().min(1).max(1024);

/** A map of locale to the path of a Markdown file. */
const bodyPaths = texts({ min: 1, max: 1024 });

const scopes = z
  .strictObject({ can_view: z.enum(SCOPES), can_join: z.enum(SCOPES) })
  .refine((value) => SCOPES.indexOf(value.can_join) >= SCOPES.indexOf(value.can_view), {
    path: ['can_join'],
    message: 'can_join must not be looser than can_view',
  })
  .prefault({ can_view: 'private', can_join: 'private' });

const cover = { cover: path.optional(), coverAlt: texts({ max: 500 }).optional() };
const minutes = z.int().min(0).max(10_000).default(0);

const lesson = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  minutes,
  mandatory: z.boolean().default(true),
  body: bodyPaths,
  discussion: text.optional(),
});

const section = z.strictObject({ heading: title, lessons: z.array(lesson) });

const journey = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  description: text.optional(),
  privacy: z.enum(JOURNEY_PRIVACIES).default('closed-private'),
  sections: z.array(section).max(MAX_SECTIONS, `At most ${MAX_SECTIONS} sections`),
});

const course = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  type: z.enum(COURSE_TYPES).default('Private'),
  title,
  summary: text.optional(),
  ...cover,
  humanTranslation: z.boolean().default(true),
  scopes,
  journeys: z.array(journey).default([]),
});

const academy = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  description: text.optional(),
  ...cover,
  scopes,
  courses: z.array(Slug).default([]),
});

const microcourse = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  summary: text.optional(),
  ...cover,
  minutes,
  humanTranslation: z.boolean().default(true),
  scopes,
  body: bodyPaths,
});

const category = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .refine((value) => !isUnstorable(value), UNSTORABLE);

const community = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  description: text.optional(),
  ...cover,
  privacy: z.enum(COMMUNITY_PRIVACIES).default('closed-hidden'),
  locale: LocaleCode.default(DEFAULT_LOCALE),
  categories: z.array(category).max(100).default([]),
  scopes,
  owners: z.array(Email).max(100).default([]),
});

/** `content.yaml` as it stands in the folder; bodies are still paths. */
export const ContentFile = z.strictObject({
  format: z.literal(1, 'Must be 1, the format this release reads'),
  academies: z.array(academy).default([]),
  courses: z.array(course).default([]),
  microcourses: z.array(microcourse).default([]),
  communities: z.array(community).default([]),
});
export type ContentFile = z.output<typeof ContentFile>;

type Identified<T> = Omit<T, 'id'> & { id: string };
/** `body` is the Markdown itself, `bodyFiles` where in the folder each stands: its images are relative to that. */
type WithBody<T> = Identified<Omit<T, 'body'>> & { body: LocalizedText; bodyFiles: LocalizedText };

export type FolderLesson = WithBody<z.output<typeof lesson>>;
export type FolderSection = { heading: LocalizedText; lessons: FolderLesson[] };
export type FolderJourney = Identified<Omit<z.output<typeof journey>, 'sections'>> & { sections: FolderSection[] };
export type FolderCourse = Identified<Omit<z.output<typeof course>, 'journeys'>> & { journeys: FolderJourney[] };
export type FolderAcademy = Identified<z.output<typeof academy>>;
export type FolderMicrocourse = WithBody<z.output<typeof microcourse>>;
export type FolderCommunity = Identified<z.output<typeof community>>;

/** A content folder read whole, defaults filled in. */
export type ContentFolder = {
  academies: FolderAcademy[];
  courses: FolderCourse[];
  microcourses: FolderMicrocourse[];
  communities: FolderCommunity[];
};

/** Something an author must (fault) or may (warning) put right. `line` counts from 1; `field` is like `courses[0].title.en`. */
export type FolderFinding = { file: string; line: number; field: string; message: string };

/** Where a body goes that was not written in a folder: `lessons/<course>/<journey>/<lesson>.en.md`. */
export function defaultBodyFile(parts: string[], locale: string): string {
  return `${parts.join('/')}.${locale}.md`;
}
