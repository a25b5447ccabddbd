import type { Locale, LocalizedText } from '@officium/contract/common';
import { type EditorialKind, MAX_EDITORIAL_ITEMS } from '@officium/contract/editorials';
import { Slug } from '@officium/contract/common';
import { editorialKindOf, hasPage, partNames } from '#server/areas/catalogue/editorial.policy.ts';
import { pagePath } from '#server/page-address.ts';
import { PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { markdownToPlainText } from '#server/text/markdown.ts';
import type { ExportEntry, ExportFinding } from './contentful-export.format.ts';
import type { ExportFields } from './export-fields.format.ts';
import { linkedEntryIds } from './fetched-space.format.ts';
import { toSchedule } from './event-catalogue.format.ts';
import type { Schedule } from './event-schedule.policy.ts';
import type { ContentFolder, FolderEditorial } from './folder.format.ts';

/** Names that content models give the fields, whatever their case and spacing. */
const FIELDS: Record<string, string[]> = {
  title: ['title', 'question', 'name', 'heading', 'headline', 'pageName', 'internalName'],
  summary: [
    'summary',
    'shortDescription',
    'description',
    'subtitle',
    'teaser',
    'lead',
    'introduction',
    'intro',
    'audience',
  ],
  caption: ['caption', 'description', 'summary'],
  answer: ['answer', 'acceptedAnswer', 'response', 'body', 'content', 'copy', 'text'],
  problem: ['problem', 'challenge', 'issue', 'context', 'need'],
  tried: ['tried', 'whatWasTried', 'approach', 'solution', 'actions', 'action', 'body', 'content', 'copy', 'text'],
  result: ['result', 'results', 'outcome', 'outcomes', 'impact'],
  cost: ['cost', 'costs', 'price', 'budget', 'effort', 'resources'],
  transfer: ['transfer', 'transfers', 'whatTransfers', 'transferability', 'lessonsLearned', 'takeaways', 'replication'],
  about: ['body', 'about', 'content', 'copy', 'text', 'details', 'description'],
  evidence: ['evidence', 'sources', 'source', 'references', 'proof'],
  alt: ['alt', 'altText', 'alternativeText'],
  cover: [
    'cover',
    'coverImage',
    'heroImage',
    'featuredImage',
    'image',
    'thumbnail',
    'picture',
    'photo',
    'media',
    'asset',
  ],
};
const SCOPES = { can_view: 'private', can_join: 'private' } as const;
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

export type ExportEditorials = { editorials: FolderEditorial[]; warnings: ExportFinding[] };

/**
 * Makes questions, solution articles, hubs, carousels, pictures and events from entries with enough fields; other entries stay
 * plain, with a warning. Link targets come from `folder` (the rest of the export) and `known` (paths of stored entries).
 */
export function toEditorials(
  entries: readonly ExportEntry[],
  fields: ExportFields,
  { folder, known }: { folder: ContentFolder; known: readonly (readonly [id: string, path: string])[] },
): ExportEditorials {
  const reader = new EditorialReader(fields);
  const own = entries.filter((entry) => entry.status === 'published');
  const editorials = own.flatMap((entry) => reader.read(entry) ?? []);
  const paths = new Map(known.map(([id, path]) => [id, path.slice(1)]));
  for (const [id, path] of pathsOf(folder)) paths.set(id, path);
  for (const { id, kind, slug } of editorials) paths.set(id, `${kind}s/${slug}`);
  const byId = new Map(own.map((entry) => [entry.id, entry]));
  for (const editorial of editorials) {
    if (editorial.kind === 'picture') continue;
    const linked = linkedEntryIds(byId.get(editorial.id)?.fields ?? {});
    const items = [...new Set(linked)].flatMap((id) => (id === editorial.id ? [] : (paths.get(id) ?? [])));
    if (editorial.schedule) {
      const slugOf = (start: string) => items.find((path) => path.split('/', 2)[0] === start)?.split('/')[1] ?? null;
      editorial.schedule = { ...editorial.schedule, community: slugOf('communities'), course: slugOf('courses') };
      continue;
    }
    if (items.length > MAX_EDITORIAL_ITEMS)
      reader.warn(editorial.id, '', `Leads to more than ${MAX_EDITORIAL_ITEMS} pages: the first ones are kept`);
    editorial.items = items.slice(0, MAX_EDITORIAL_ITEMS);
  }
  return { editorials, warnings: reader.warnings };
}

/** The paths of what a folder has, by the id of its entry. */
function pathsOf({ academies, courses, microcourses, communities }: ContentFolder): [id: string, path: string][] {
  const page = (...of: Parameters<typeof pagePath>[0]) => pagePath(of).slice(1);
  return [
    ...academies.map(({ id, slug }): [string, string] => [id, page('academy', slug)]),
    ...microcourses.map(({ id, slug }): [string, string] => [id, page('microcourse', slug)]),
    ...communities.map(({ id, slug }): [string, string] => [id, page('community', slug)]),
    ...courses.flatMap((course): [string, string][] => [
      [course.id, page('course', course.slug)],
      ...course.journeys.flatMap((journey) =>
        journey.sections.flatMap((section) =>
          section.lessons.map(({ id, slug }): [string, string] => [
            id,
            page('lesson', course.slug, journey.slug, slug),
          ]),
        ),
      ),
    ]),
  ];
}

class EditorialReader {
  readonly warnings: ExportFinding[] = [];
  readonly #fields: ExportFields;
  readonly #slugs = new Set<string>();

  constructor(fields: ExportFields) {
    this.#fields = fields;
  }

  warn(id: string, field: string, message: string): void {
    this.warnings.push({ id, field, message });
  }

  read(entry: ExportEntry): FolderEditorial | undefined {
    const kind = editorialKindOf(entry.productType);
    if (kind === undefined) return undefined;
    const title = this.#plainTexts(entry, 'title');
    const cover = kind === 'question' || kind === 'carousel' ? undefined : this.#cover(entry);
    const summary = this.#plainTexts(entry, kind === 'picture' ? 'caption' : 'summary');
    const parts = this.#parts(entry, kind);
    const [first] = partNames(kind);
    if (first !== undefined && !parts[first] && summary && (kind === 'solution' || kind === 'event'))
      parts[first] = summary;
    const schedule = kind === 'event' ? this.#schedule(entry) : undefined;
    const lacks = !title
      ? 'title'
      : kind === 'picture' && !cover
        ? 'picture'
        : first !== undefined && !parts[first]
          ? first
          : kind === 'event' && !schedule
            ? 'startsAt'
            : undefined;
    if (!title || lacks !== undefined) {
      this.warn(
        entry.id,
        `fields.${lacks ?? 'title'}`,
        `Needs a field for its ${lacks ?? 'title'}: stays a plain entry`,
      );
      return undefined;
    }
    return {
      kind,
      id: entry.id,
      slug: this.#slug(entry, kind, title),
      title,
      ...(summary && kind !== 'question' ? { summary } : {}),
      ...cover,
      humanTranslation: true,
      scopes: SCOPES,
      items: [],
      parts,
      ...(schedule ? { schedule } : {}),
    };
  }

  #schedule(entry: ExportEntry): Schedule | undefined {
    const own = new Map(Object.keys(entry.fields).map((name) => [plain(name), name]));
    const valueOf = (names: readonly string[]) =>
      this.#fields.value(
        entry,
        names.flatMap((name) => own.get(plain(name)) ?? []),
      );
    return toSchedule(valueOf, (field, message) => this.warn(entry.id, `fields.${field}`, message));
  }

  /** Names of the entry's fields that match one of the usual names, most likely first. */
  #names(entry: ExportEntry, of: string): string[] {
    const own = new Map(Object.keys(entry.fields).map((name) => [plain(name), name]));
    return (FIELDS[of] ?? []).flatMap((name) => own.get(plain(name)) ?? []);
  }

  #plainTexts(entry: ExportEntry, of: string): LocalizedText | undefined {
    for (const name of this.#names(entry, of)) {
      const texts = this.#fields.texts(entry, [name]) ?? this.#fields.markdown(entry, [name]);
      if (!texts) continue;
      const limit = of === 'title' ? 200 : 5000;
      const short = Object.entries(texts).map(([locale, text]) => [
        locale,
        [...markdownToPlainText(text, { blocks: PAGE_BLOCKS })].slice(0, limit).join('').trim(),
      ]);
      return Object.fromEntries(short.filter(([, text]) => text !== ''));
    }
    return undefined;
  }

  #parts(entry: ExportEntry, kind: EditorialKind): FolderEditorial['parts'] {
    const used = new Set<string>();
    return Object.fromEntries(
      partNames(kind).flatMap((part) => {
        const name = this.#names(entry, part).find((each) => !used.has(each) && this.#fields.markdown(entry, [each]));
        if (name === undefined) return [];
        used.add(name);
        return [[part, this.#fields.markdown(entry, [name])]];
      }),
    );
  }

  #cover(entry: ExportEntry): { cover: string; coverAlt: LocalizedText } | undefined {
    const found = this.#fields.cover(entry, this.#names(entry, 'cover'));
    const alt = this.#plainTexts(entry, 'alt');
    return found && { ...found, coverAlt: alt ?? found.coverAlt };
  }

  /** The entry's own slug, else one made from the title, or from the id when the title has no Latin letters. */
  #slug(entry: ExportEntry, kind: EditorialKind, title: LocalizedText): string {
    const given = this.#fields.value(entry, ['slug']);
    const made = (text: string) =>
      text
        .normalize('NFD')
        .toLowerCase()
        .replace(/\p{M}/gu, '')
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 80)
        .replace(/^-+|-+$/g, '');
    const own = typeof given === 'string' && Slug.safeParse(given.trim()).success ? given.trim() : '';
    const wanted = own || made(title[this.#fields.defaultLocale as Locale] ?? '') || made(entry.id) || 'page';
    let slug = wanted;
    for (let nth = 2; this.#slugs.has(`${kind}/${slug}`); nth++) slug = `${wanted.slice(0, 120)}-${nth}`;
    this.#slugs.add(`${kind}/${slug}`);
    if (own === '' && hasPage(kind) && typeof given === 'string')
      this.warn(entry.id, 'fields.slug', `Is no address: became ${slug}`);
    return slug;
  }
}
