import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PieceKind } from '@officium/contract/authoring';
import { Email, type Locale, LocaleCode } from '@officium/contract/common';
import { ArticleInput } from '@officium/contract/content';
import { parse } from 'yaml';
import { SITE_PAGES, type SitePageKind } from '@officium/contract/site';
import { z } from 'zod';
import { ROLES } from '../access/viewer.ts';

export const DEMO_FOLDER = fileURLToPath(new URL('../../demo', import.meta.url));

const key = z.string().regex(/^[a-z]+$/);
const names = z.record(z.string(), z.array(z.string()));

const DemoPerson = z.strictObject({
  key,
  name: z.string(),
  email: Email,
  jobTitle: z.string(),
  organization: z.string(),
  location: z.strictObject({ id: z.string(), en: z.string(), code: z.string() }),
  locale: LocaleCode,
  biography: z.string(),
  role: z.enum(ROLES),
  visibility: z.enum(['default', 'public', 'private']),
  badges: z.strictObject({ communities: names, platform: names }),
  communities: z.array(z.string()),
  connections: z.array(key),
});
export type DemoPerson = z.output<typeof DemoPerson>;

const textFields = {
  author: key,
  hoursAgo: z.number().positive(),
  locale: LocaleCode,
  likes: z.array(key).default([]),
};
export type DemoReply = {
  author: string;
  hoursAgo: number;
  locale: Locale;
  likes: string[];
  body: string;
  replies: DemoReply[];
};
const DemoReply: z.ZodType<DemoReply> = z.strictObject({
  ...textFields,
  body: z.string(),
  replies: z.lazy(() => z.array(DemoReply)).default([]),
});

const DemoPoll = z.strictObject({
  options: z.array(z.string()).min(2).max(5),
  settings: z.strictObject({
    allow_multiple_votes: z.boolean(),
    hide_participants: z.boolean(),
    number_of_winners: z.int(),
    results_visibility: z.enum(['always', 'after-voting']),
    /** In hours from now; negative for a closed poll. */
    deadlineInHours: z.number(),
  }),
  /** Option indexes by person. */
  votes: z.record(key, z.array(z.int())),
});

const DemoConversation = z.strictObject({
  ...textFields,
  community: z.string(),
  title: z.string(),
  categories: z.array(z.string()).default([]),
  pinned: z.boolean().default(false),
  body: z.string().optional(),
  poll: DemoPoll.optional(),
  replies: z.array(DemoReply).default([]),
});
export type DemoConversation = z.output<typeof DemoConversation>;

const DemoArticle = ArticleInput.extend({ author: key, daysAgo: z.number().positive(), locale: LocaleCode });
export type DemoArticle = z.output<typeof DemoArticle>;

async function readYaml<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S>> {
  return schema.parse(parse(await readFile(join(DEMO_FOLDER, file), 'utf8')));
}

export async function readPeople(): Promise<DemoPerson[]> {
  return (await readYaml('people.yaml', z.strictObject({ people: z.array(DemoPerson) }))).people;
}

/** Sorted oldest first. */
export async function readConversations(): Promise<DemoConversation[]> {
  const file = await readYaml('conversations.yaml', z.strictObject({ conversations: z.array(DemoConversation) }));
  return file.conversations.toSorted((one, other) => other.hoursAgo - one.hoursAgo);
}

/** Markdown files with YAML front matter. */
export async function readArticles(): Promise<DemoArticle[]> {
  const folder = join(DEMO_FOLDER, 'articles');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).sort();
  return await Promise.all(
    files.map(async (file) => {
      const [, fields, body] =
        /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(await readFile(join(folder, file), 'utf8')) ?? [];
      if (fields === undefined) throw new Error(`demo/articles/${basename(file)} has no front matter`);
      return DemoArticle.parse({ ...parse(fields), body });
    }),
  );
}

const slugs = z.array(z.object({ slug: z.string() }));
const DemoCatalogue = z.object({
  academies: slugs,
  courses: z.array(z.object({ slug: z.string(), journeys: slugs })),
  microcourses: slugs,
  communities: slugs,
  hubs: slugs,
  carousels: slugs,
  questions: slugs,
  solutions: slugs,
  events: slugs,
});
/** A piece of the demo's catalogue by its address; a journey with its course. */
export type DemoPiece = { kind: PieceKind; slug: string; course: string | null };

/** The pieces of the catalogue but for lessons, which go with their journey, in the order of the administration. */
export async function readPieces(): Promise<DemoPiece[]> {
  const file = await readYaml('content.yaml', DemoCatalogue);
  const of = (kind: PieceKind, items: { slug: string }[]) => items.map(({ slug }) => ({ kind, slug, course: null }));
  return [
    ...of('academy', file.academies),
    ...of('course', file.courses),
    ...file.courses.flatMap(({ slug: course, journeys }) =>
      journeys.map(({ slug }) => ({ kind: 'journey' as const, slug, course })),
    ),
    ...of('microcourse', file.microcourses),
    ...of('community', file.communities),
    ...of('event', file.events),
    ...of('hub', file.hubs),
    ...of('carousel', file.carousels),
    ...of('question', file.questions),
    ...of('solution', file.solutions),
  ];
}

export type DemoSitePage = { kind: SitePageKind; locale: Locale; body: string };

/** The pages of the site: `site/<kind>.<locale>.md`. */
export async function readSitePages(): Promise<DemoSitePage[]> {
  const folder = join(DEMO_FOLDER, 'site');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).sort();
  return await Promise.all(
    files.map(async (file) => {
      const [kind, locale] = file.split('.');
      const body = (await readFile(join(folder, file), 'utf8')).trim();
      return { kind: z.enum(SITE_PAGES).parse(kind), locale: LocaleCode.parse(locale), body };
    }),
  );
}
