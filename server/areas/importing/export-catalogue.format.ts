import { LOCALES, type LocalizedText } from '@officium/contract/common';
import type { ArticleTag } from '@officium/contract/content';
import type { ContentfulReading, ExportEntry, ExportFinding } from './contentful-export.format.ts';
import { toEditorials } from './editorial-catalogue.format.ts';
import { textWarnings } from './text-warnings.policy.ts';
import { importedSlug } from './export-slug.format.ts';
import { ExportFields, type Pages } from './export-fields.format.ts';
import { contactsOf, topicsOf } from './export-topics.format.ts';
import {
  COMMUNITY_PRIVACIES,
  type ContentFolder,
  COURSE_TYPES,
  defaultBodyFile,
  type FolderCourse,
  type FolderJourney,
  type FolderLesson,
  type FolderSection,
  JOURNEY_PRIVACIES,
  MAX_SECTIONS,
} from './folder.format.ts';

export type ExportCatalogue = {
  folder: ContentFolder;
  /** Ids of the entries that became items of the folder. */
  entryIds: Set<string>;
  /** URLs of the pictures in use, by path in the folder. */
  pictures: ReadonlyMap<string, string>;
  warnings: ExportFinding[];
};

/** Exports contain no scopes, so everything is private until an administrator opens it. */
const SCOPES = { can_view: 'private', can_join: 'private' } as const;

/**
 * Converts entries with the required fields (a title, a slug, lessons with a text) to courses, lessons, microcourses,
 * academies and communities. Other entries stay plain entries, with a warning. `pages` and `parts` are the paths of
 * existing entries.
 */
export function toCatalogue(reading: ContentfulReading, pages?: Pages, parts?: Pages): ExportCatalogue {
  const catalogue = new Catalogue(reading, pages);
  const folder: ContentFolder = { academies: [], courses: [], microcourses: [], communities: [], editorials: [] };
  for (const entry of reading.entries) {
    if (entry.status !== 'published') continue;
    if (entry.productType === 'course') push(folder.courses, catalogue.course(entry));
    if (entry.productType === 'microcourse') push(folder.microcourses, catalogue.microcourse(entry));
    if (entry.productType === 'communityPage') push(folder.communities, catalogue.community(entry));
  }
  for (const entry of reading.entries)
    if (entry.status === 'published' && entry.productType === 'academy')
      push(folder.academies, catalogue.academy(entry, folder.courses));
  const made = toEditorials(reading.entries, catalogue.fields, {
    folder,
    known: [...(pages ?? []), ...(parts ?? [])],
  });
  folder.editorials.push(...made.editorials);
  const { entryIds, pictures, leftOut, warnings } = catalogue;
  for (const { id } of made.editorials) entryIds.add(id);
  const texts = textWarnings(folder).map(({ id, locale, line, message }) => ({
    id,
    field: `fields.body.${locale}`,
    message: `Line ${line}: ${message}`,
  }));
  return { folder, entryIds, pictures, warnings: [...warnings, ...made.warnings, ...leftOut, ...texts] };
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}

class Catalogue {
  readonly warnings: ExportFinding[] = [];
  readonly entryIds = new Set<string>();
  readonly #fields: ExportFields;
  readonly #slugs = new Set<string>();

  constructor(reading: ContentfulReading, pages?: Pages) {
    this.#fields = new ExportFields(reading, pages);
  }

  get fields(): ExportFields {
    return this.#fields;
  }

  get pictures(): ReadonlyMap<string, string> {
    return this.#fields.pictures;
  }

  get leftOut(): readonly ExportFinding[] {
    return this.#fields.leftOut;
  }

  course(entry: ExportEntry): FolderCourse | undefined {
    const name = this.#named(entry, 'course');
    if (!name) return undefined;
    const summary = this.#fields.texts(entry, ['summary', 'shortDescription', 'description']);
    const journeys = this.#journeys(entry, name.title);
    if (!journeys) return undefined;
    this.entryIds.add(entry.id);
    return {
      ...name,
      type: COURSE_TYPES.find((value) => value === this.#fields.value(entry, ['type'])) ?? 'Public',
      ...(summary ? { summary } : {}),
      ...this.#fields.cover(entry),
      topics: this.#topics(entry),
      contacts: contactsOf(this.#fields, entry),
      humanTranslation: true,
      scopes: SCOPES,
      journeys,
    };
  }

  microcourse(entry: ExportEntry): ContentFolder['microcourses'][number] | undefined {
    const name = this.#named(entry, 'microcourse');
    const body = name && this.#body(entry);
    if (!name || !body) return undefined;
    const summary = this.#fields.texts(entry, ['summary', 'shortDescription', 'description']);
    this.entryIds.add(entry.id);
    const common = {
      ...name,
      ...(summary ? { summary } : {}),
      ...this.#fields.cover(entry),
      topics: this.#topics(entry),
      minutes: this.#fields.minutes(entry, body),
      humanTranslation: true,
      scopes: SCOPES,
    };
    return { ...common, body, bodyFiles: files(body, ['micro', name.slug]) };
  }

  community(entry: ExportEntry): ContentFolder['communities'][number] | undefined {
    const name = this.#named(entry, 'communityPage');
    if (!name) return undefined;
    const description = this.#fields.texts(entry, ['description', 'summary']);
    const privacy =
      COMMUNITY_PRIVACIES.find((value) => value === this.#fields.value(entry, ['privacy'])) ?? 'closed-hidden';
    const categories = this.#fields
      .list(entry, ['categories'])
      .filter((value) => typeof value === 'string' && value.trim() !== '');
    this.entryIds.add(entry.id);
    const common = {
      ...name,
      ...(description ? { description } : {}),
      ...this.#fields.cover(entry),
      privacy,
      locale: this.#fields.defaultLocale,
    };
    return { ...common, categories: categories as string[], scopes: SCOPES, owners: [] }; // filtered above
  }

  academy(entry: ExportEntry, courses: FolderCourse[]): ContentFolder['academies'][number] | undefined {
    const name = this.#named(entry, 'academy');
    if (!name) return undefined;
    const description = this.#fields.texts(entry, ['description', 'summary']);
    const linked = new Set(this.#fields.links(entry, ['courses']).map((course) => course.id));
    const bySlug = new Map(courses.map((course) => [course.id, course.slug]));
    this.entryIds.add(entry.id);
    const slugs = [...linked].flatMap((id) => bySlug.get(id) ?? []);
    const common = { ...name, ...(description ? { description } : {}), ...this.#fields.cover(entry) };
    return { ...common, topics: this.#topics(entry), scopes: SCOPES, courses: slugs };
  }

  #topics(entry: ExportEntry): ArticleTag[] {
    return topicsOf(this.#fields, entry, (field, message) => this.#warn(entry, field, message));
  }

  #journeys(course: ExportEntry, title: LocalizedText): FolderJourney[] | undefined {
    const privacy = this.#journeyPrivacy(course, 'open-public');
    const own = this.#fields.links(course, ['journeys', 'courseJourneys']);
    if (own.length === 0) {
      // A course with direct lessons becomes one journey with one section.
      const sections = this.#sections(course, title);
      return sections && sections.length > 0
        ? [{ id: 'lessons', slug: 'lessons', title, privacy, sections }]
        : sections && [];
    }
    const journeys: FolderJourney[] = [];
    const slugs = new Set<string>();
    for (const entry of own) {
      const name = this.#named(entry, `${course.id}/courseJourney`);
      const sections = name && this.#sections(entry, name.title);
      if (!name || !sections || slugs.has(name.slug)) continue;
      slugs.add(name.slug);
      this.entryIds.add(entry.id);
      journeys.push({ ...name, privacy: this.#journeyPrivacy(entry, privacy), sections });
    }
    return journeys;
  }

  #journeyPrivacy(entry: ExportEntry, otherwise: FolderJourney['privacy']): FolderJourney['privacy'] {
    const given = this.#fields.value(entry, ['privacy']) ?? null;
    return given === null ? otherwise : (JOURNEY_PRIVACIES.find((value) => value === given) ?? 'closed-private');
  }

  #sections(entry: ExportEntry, title: LocalizedText): FolderSection[] | undefined {
    const seen = new Set<string>();
    const lessons = (from: ExportEntry) =>
      this.#fields.links(from, ['lessons']).flatMap((lesson): FolderLesson[] => {
        const made = this.#lesson(lesson, seen);
        return made ? [made] : [];
      });
    const own = this.#fields.links(entry, ['sections']);
    const sections = own.map((section) => ({
      heading: this.#fields.texts(section, ['heading', 'title', 'name']) ?? title,
      lessons: lessons(section),
    }));
    const loose = lessons(entry);
    if (loose.length > 0) sections.push({ heading: title, lessons: loose });
    if (sections.length <= MAX_SECTIONS) return sections;
    this.#warn(entry, 'sections', `At most ${MAX_SECTIONS} sections: stays a plain entry`);
    return undefined;
  }

  #lesson(entry: ExportEntry, seen: Set<string>): FolderLesson | undefined {
    if (seen.has(entry.id)) return undefined;
    const name = this.#named(entry, undefined);
    const body = name && this.#body(entry);
    if (!name || !body) return undefined;
    if (seen.has(`slug:${name.slug}`)) {
      this.#warn(entry, 'fields.slug', `The slug ${name.slug} is used twice in one journey: stays a plain entry`);
      return undefined;
    }
    seen.add(entry.id).add(`slug:${name.slug}`);
    const mandatory = this.#fields.value(entry, ['mandatory']) !== false;
    return {
      ...name,
      minutes: this.#fields.minutes(entry, body),
      mandatory,
      body,
      bodyFiles: files(body, ['lessons', entry.id, name.slug]),
    };
  }

  /** Returns id, slug and title if the entry has them. The slug must be unique within `kind`. */
  #named(entry: ExportEntry, kind: string | undefined): { id: string; slug: string; title: LocalizedText } | undefined {
    const given = this.#fields.value(entry, ['slug']);
    const slug = typeof given === 'string' ? importedSlug(given) : undefined;
    const title = this.#fields.texts(entry, ['title', 'name', 'pageName']);
    if (slug === undefined || !title) {
      this.#warn(
        entry,
        title ? 'fields.slug' : 'fields.title',
        'Needs a title and a slug of lower-case letters, digits and hyphens: stays a plain entry',
      );
      return undefined;
    }
    const key = `${kind}:${slug}`;
    if (kind !== undefined && this.#slugs.has(key)) {
      this.#warn(entry, 'fields.slug', `The slug ${slug} is used twice: stays a plain entry`);
      return undefined;
    }
    this.#slugs.add(key);
    return { id: entry.id, slug, title };
  }

  /** Returns the Markdown of an entry: its own text, else the texts of its modules in order. */
  #body(entry: ExportEntry): LocalizedText | undefined {
    const own = this.#fields.markdown(entry);
    const parts = own
      ? [own]
      : this.#fields
          .links(entry, ['modules', 'body', 'content'])
          .flatMap((module) => this.#fields.module(module) ?? []);
    const locales = LOCALES.filter((locale) => parts.some((part) => part[locale] !== undefined));
    const body: LocalizedText = {};
    // A module without a text in a language uses the default language, so that the lesson stays complete.
    for (const locale of locales)
      body[locale] = parts.map((part) => part[locale] ?? part[this.#fields.defaultLocale] ?? '').join('\n\n');
    if (locales.length > 0) return body;
    this.#warn(entry, 'fields.body', 'Has no text: stays a plain entry');
    return undefined;
  }

  #warn(entry: ExportEntry, field: string, message: string): void {
    this.warnings.push({ id: entry.id, field, message });
  }
}

function files(body: LocalizedText, parts: string[]): LocalizedText {
  return Object.fromEntries(Object.keys(body).map((locale) => [locale, defaultBodyFile(parts, locale)]));
}
