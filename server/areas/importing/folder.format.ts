import { Assessment } from '@officium/contract/assessment';
import {
  DEFAULT_LOCALE,
  Email,
  EntryId,
  LocaleCode,
  type LocalizedText,
  localizedString,
  Slug,
} from '@officium/contract/common';
import { EDITORIAL_KINDS, type EditorialKind, ItemPath, MAX_EDITORIAL_ITEMS } from '@officium/contract/editorials';
import { ArticleTagInput, topicList } from '@officium/contract/content';
import { CONTACT_LIMITS } from '@officium/contract/course-contacts';
import { schedule } from '@officium/contract/events';
import { Evaluation } from '@officium/contract/evaluation';
import { CertificateMonths } from '@officium/contract/renewals';
import { PriceText } from '@officium/contract/price';
import { z } from 'zod';
import { type Schedule, scheduleFault } from './event-schedule.policy.ts';
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
const topics = topicList(ArticleTagInput).default([]);

const contact = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(CONTACT_LIMITS.name)
    .refine((value) => !isUnstorable(value), UNSTORABLE),
  role: texts({ min: 1, max: CONTACT_LIMITS.role }).optional(),
  email: Email.optional(),
  profile: z
    .string()
    .regex(
      /^\/people\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      'Must be the path of a profile, such as /people/<id>',
    )
    .optional(),
});
const contacts = z
  .array(contact)
  .max(CONTACT_LIMITS.contacts, `At most ${CONTACT_LIMITS.contacts} contacts`)
  .default([]);
const minutes = z.int().min(0).max(10_000).default(0);

const lesson = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  minutes,
  mandatory: z.boolean().default(true),
  body: bodyPaths,
  discussion: text.optional(),
  assessment: Assessment.optional(),
});

const section = z.strictObject({ heading: title, lessons: z.array(lesson) });

const journey = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  description: text.optional(),
  privacy: z.enum(JOURNEY_PRIVACIES).default('closed-private'),
  price: PriceText.optional(),
  certificateMonths: CertificateMonths.optional(),
  evaluation: Evaluation.optional(),
  sections: z.array(section).max(MAX_SECTIONS, `At most ${MAX_SECTIONS} sections`),
});

const course = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  type: z.enum(COURSE_TYPES).default('Private'),
  title,
  summary: text.optional(),
  ...cover,
  topics,
  contacts,
  humanTranslation: z.boolean().default(true),
  scopes,
  questions: bodyPaths.optional(),
  journeys: z.array(journey).default([]),
});

const academy = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  description: text.optional(),
  ...cover,
  topics,
  scopes,
  courses: z.array(Slug).default([]),
});

const microcourse = z.strictObject({
  slug: Slug,
  id: EntryId.optional(),
  title,
  summary: text.optional(),
  ...cover,
  topics,
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

/** Markdown in `content.yaml` itself, with paths of pictures relative to the root of the folder. */
const markdown = texts({ min: 1, max: 20_000 }).optional();
const items = z.array(ItemPath).max(MAX_EDITORIAL_ITEMS, `At most ${MAX_EDITORIAL_ITEMS} links`).default([]);
const named = { slug: Slug, id: EntryId.optional(), title };
const summary = text.optional();
const humanTranslation = z.boolean().default(true);

/** Each kind has a list in `content.yaml`, named by its plural: `questions`, `hubs`. */
const EDITORIALS = {
  question: z.strictObject({ ...named, answer: texts({ min: 1, max: 20_000 }), humanTranslation, scopes, items }),
  solution: z.strictObject({
    ...named,
    summary,
    problem: texts({ min: 1, max: 20_000 }),
    tried: markdown,
    result: markdown,
    cost: markdown,
    transfer: markdown,
    evidence: markdown,
    ...cover,
    humanTranslation,
    scopes,
    items,
  }),
  hub: z.strictObject({ ...named, summary, ...cover, humanTranslation, scopes, items }),
  carousel: z.strictObject({ ...named, summary, items }),
  picture: z.strictObject({ ...named, summary, ...cover }),
  event: z
    .strictObject({
      ...named,
      summary,
      about: texts({ min: 1, max: 20_000 }),
      ...schedule,
      ...cover,
      humanTranslation,
      scopes,
    })
    .superRefine((event, context) => {
      const fault = scheduleFault(event);
      if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
    }),
} as const;

/** The format of `content.yaml`, in which bodies are file paths. */
export const ContentFile = z.strictObject({
  format: z.literal(1, 'Must be 1, the format this release reads'),
  academies: z.array(academy).default([]),
  courses: z.array(course).default([]),
  microcourses: z.array(microcourse).default([]),
  communities: z.array(community).default([]),
  questions: z.array(EDITORIALS.question).default([]),
  solutions: z.array(EDITORIALS.solution).default([]),
  hubs: z.array(EDITORIALS.hub).default([]),
  carousels: z.array(EDITORIALS.carousel).default([]),
  pictures: z.array(EDITORIALS.picture).default([]),
  events: z.array(EDITORIALS.event).default([]),
});
export type ContentFile = z.output<typeof ContentFile>;

type Identified<T> = Omit<T, 'id'> & { id: string };
/** `body` is the Markdown itself; `bodyFiles` are the paths of the files, to which image links are relative. */
type WithBody<T> = Identified<Omit<T, 'body'>> & { body: LocalizedText; bodyFiles: LocalizedText };

export type FolderLesson = WithBody<z.output<typeof lesson>>;
export type FolderSection = { heading: LocalizedText; lessons: FolderLesson[] };
export type FolderJourney = Identified<Omit<z.output<typeof journey>, 'sections'>> & { sections: FolderSection[] };
/** `bank` is its question bank, which `content.yaml` names `questions`. The content platform has none and leaves it alone. */
export type FolderCourse = Identified<Omit<z.output<typeof course>, 'journeys' | 'questions'>> & {
  bank?: { body: LocalizedText; bodyFiles: LocalizedText };
  journeys: FolderJourney[];
};
export type FolderContact = z.output<typeof contact>;
export type FolderAcademy = Identified<z.output<typeof academy>>;
export type FolderMicrocourse = WithBody<z.output<typeof microcourse>>;
export type FolderCommunity = Identified<z.output<typeof community>>;
/** A question, solution article, hub, carousel, picture or event; `parts` are its Markdown texts. */
export type FolderEditorial = {
  kind: EditorialKind;
  id: string;
  slug: string;
  title: LocalizedText;
  summary?: LocalizedText | undefined;
  cover?: string | undefined;
  coverAlt?: LocalizedText | undefined;
  humanTranslation: boolean;
  scopes: z.output<typeof scopes>;
  /** Paths of pages, in order. */
  items: string[];
  parts: Partial<Record<string, LocalizedText>>;
  /** The schedule of an event. */
  schedule?: Schedule | undefined;
};

/** A completely read content folder with defaults applied. */
export type ContentFolder = {
  academies: FolderAcademy[];
  courses: FolderCourse[];
  microcourses: FolderMicrocourse[];
  communities: FolderCommunity[];
  /** By kind, in the order of their lists. */
  editorials: FolderEditorial[];
};

export const EDITORIAL_LISTS = EDITORIAL_KINDS.map((kind) => [kind, `${kind}s`] as const);

/** A fault that must, or a warning that may be fixed. `line` counts from 1; `field` is like `courses[0].title.en`. */
export type FolderFinding = { file: string; line: number; field: string; message: string };

/** Default path of a body that did not come from a folder: `lessons/<course>/<journey>/<lesson>.en.md`. */
export function defaultBodyFile(parts: string[], locale: string): string {
  return `${parts.join('/')}.${locale}.md`;
}
