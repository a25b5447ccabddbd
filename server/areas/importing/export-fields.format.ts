import type { Locale, LocalizedText } from '@officium/contract/common';
import { pagePath } from '#server/page-address.ts';
import {
  type ContentfulJson,
  type ContentfulReading,
  type ExportEntry,
  type ExportFinding,
  fieldValue,
} from './contentful-export.format.ts';
import { markdownToPlainText } from '#server/text/markdown.ts';
import { readingMinutes } from '#server/text/reading-time.ts';
import { ExportAssets, type ExportPicture } from './export-assets.format.ts';
import { isRichText, richTextToMarkdown, type Targets } from './rich-text-markdown.format.ts';

const BODY_FIELDS = ['body', 'copy', 'content', 'text'];
const PICTURE_FIELDS = ['image', 'picture', 'photo', 'media', 'asset'];
const COVER_FIELDS = ['cover', 'coverImage', 'heroImage', 'featuredImage', 'image', 'thumbnail'];
/** Paths of the pages of entries that are here already, by id. */
export type Pages = ReadonlyMap<string, string>;

/** Fields of the entries of an export, found under any of the names that content models give them. */
export class ExportFields {
  readonly defaultLocale: Locale;
  readonly #reading: ContentfulReading;
  readonly #entries: Map<string, ExportEntry>;
  readonly #assets: ExportAssets;
  /** Addresses of the pictures that texts and covers show, by their place in the folder. */
  readonly pictures = new Map<string, string>();
  /** What stands in a text and cannot be shown. */
  readonly leftOut: ExportFinding[] = [];
  readonly #pages: Pages;
  /** Modules by id; without a text while they are being written, for two may hold each other. */
  readonly #modules = new Map<string, LocalizedText | undefined>();

  constructor(reading: ContentfulReading, pages: Pages = new Map()) {
    this.#pages = pages;
    this.defaultLocale = reading.locales.defaultLocale ?? 'en';
    this.#assets = new ExportAssets(reading);
    this.#reading = reading;
    this.#entries = new Map(
      reading.entries.filter((entry) => entry.status === 'published').map((entry) => [entry.id, entry]),
    );
  }

  /** The text of an entry, as Markdown. */
  markdown(entry: ExportEntry): LocalizedText | undefined {
    for (const field of BODY_FIELDS) {
      const texts: LocalizedText = {};
      for (const [locale, value] of Object.entries(entry.fields[field] ?? {}) as [Locale, ContentfulJson][]) {
        if (typeof value === 'string' && value.trim() !== '') texts[locale] = this.#withPictures(value, locale);
        else if (isRichText(value))
          texts[locale] = richTextToMarkdown(value, this.#targets(locale, { id: entry.id, field }));
      }
      if (Object.keys(texts).length > 0) return texts;
    }
    return undefined;
  }

  /** The Markdown of an entry that is a part of another one: its title, its text, its picture and what is said of it. */
  module(entry: ExportEntry): LocalizedText | undefined {
    if (!this.#modules.has(entry.id)) {
      this.#modules.set(entry.id, undefined);
      this.#modules.set(entry.id, this.#writeModule(entry));
    }
    return this.#modules.get(entry.id);
  }

  #writeModule(entry: ExportEntry): LocalizedText | undefined {
    const text = this.markdown(entry) ?? this.code(entry);
    const title = this.texts(entry, ['heading', 'headline', 'title']);
    const caption = this.texts(entry, ['caption']);
    const picture = this.#pictureId(entry, PICTURE_FIELDS);
    if (!text && picture === undefined) return undefined;
    const locales = [...new Set([this.defaultLocale, ...Object.keys({ ...text, ...caption })])] as Locale[]; // keys of a LocalizedText
    const parts = locales.map((locale): [Locale, string] => {
      const shown = picture && this.#showPicture(this.#assets.picture(picture, locale), this.#altOf(entry, locale));
      const said = text?.[locale] ?? text?.[this.defaultLocale];
      const heading = said && isHeading(title?.[locale], said) ? `## ${title?.[locale]}` : undefined;
      return [locale, [heading, said, shown, shown && caption?.[locale]].filter(Boolean).join('\n\n')];
    });
    return Object.fromEntries(parts.filter(([, part]) => part !== ''));
  }

  /** The cover of an entry, as a folder names it. */
  cover(entry: ExportEntry): { cover: string; coverAlt: LocalizedText } | undefined {
    const id = this.#pictureId(entry, COVER_FIELDS);
    const picture = id === undefined ? undefined : this.#assets.picture(id, this.defaultLocale);
    if (id === undefined || !picture) return undefined;
    this.pictures.set(picture.path, picture.url);
    return { cover: picture.path, coverAlt: this.#assets.alt(id) };
  }

  #pictureId(entry: ExportEntry, names: string[]): string | undefined {
    for (const name of names)
      for (const value of this.list(entry, [name])) {
        const id = linkedId(value);
        if (id !== undefined && this.#assets.picture(id, this.defaultLocale)) return id;
      }
    return undefined;
  }

  #altOf(entry: ExportEntry, locale: Locale): string | undefined {
    return this.texts(entry, ['alt', 'altText', 'alternativeText'])?.[locale];
  }

  #showPicture(picture: ExportPicture | undefined, alt?: string): string | undefined {
    if (!picture) return undefined;
    this.pictures.set(picture.path, picture.url);
    return `![${inBrackets(alt ?? picture.alt)}](${picture.path})`;
  }

  #targets(locale: Locale, at: { id: string; field: string }): Targets {
    const orLeaveOut = (text: string | undefined, message: string) => {
      if (text === undefined) this.leftOut.push({ id: at.id, field: `fields.${at.field}.${locale}`, message });
      return text;
    };
    return {
      asset: (id) => {
        const file = this.#assets.file(id, locale);
        const shown =
          this.#showPicture(this.#assets.picture(id, locale)) ??
          (file && `[${inBrackets(file.title)}](<${file.url.replace(/[<>\s]/g, encodeURIComponent)}>)`);
        return orLeaveOut(shown, `The asset ${id} is not published: left out`);
      },
      entry: (id) => {
        const module = this.#entries.get(id);
        const text = module && this.module(module);
        return orLeaveOut(text?.[locale] ?? text?.[this.defaultLocale], `The entry ${id} has no text: left out`);
      },
      assetUrl: (id) => this.#assets.file(id, locale)?.url,
      pagePath: (id) => pageOf(this.#entries.get(id), this.defaultLocale) ?? this.#pages.get(id),
    };
  }

  /** Markdown names pictures by their address at the platform; here they stand in the folder. */
  #withPictures(markdown: string, locale: Locale): string {
    return markdown.replace(
      /!\[((?:[^\]\\]|\\.)*)\]\(<?((?:https?:)?\/\/[^\s<>)]+)>?((?:\s+"[^"]*")?)\)/g,
      (whole, alt: string, url: string, title: string) => {
        const picture = this.#assets.pictureAt(url, locale);
        if (!picture) return whole;
        this.pictures.set(picture.path, picture.url);
        return `![${alt || picture.alt}](${picture.path}${title})`;
      },
    );
  }

  /** A module of code samples: each field is one language. */
  code(entry: ExportEntry): LocalizedText | undefined {
    if (!/code|snippet/i.test(entry.contentType)) return undefined;
    const texts: LocalizedText = {};
    for (const [language, field] of Object.entries(entry.fields)) {
      if (language === 'title') continue;
      for (const [locale, value] of Object.entries(field) as [Locale, ContentfulJson][]) {
        if (typeof value !== 'string' || value.trim() === '') continue;
        texts[locale] = `${texts[locale] ?? ''}\n\n\`\`\`\`${language}\n${value}\n\`\`\`\``.trim();
      }
    }
    return Object.keys(texts).length > 0 ? texts : undefined;
  }

  /** As the entry says, or else how long its text takes to read. */
  minutes(entry: ExportEntry, body: LocalizedText): number {
    const value = this.value(entry, ['minutes', 'duration']);
    if (typeof value === 'number' && value >= 0) return Math.min(10_000, Math.round(value));
    return readingMinutes(markdownToPlainText(body[this.defaultLocale] ?? Object.values(body)[0] ?? ''));
  }

  texts(entry: ExportEntry, names: string[]): LocalizedText | undefined {
    for (const name of names) {
      const texts: LocalizedText = {};
      for (const [locale, value] of Object.entries(entry.fields[name] ?? {}) as [Locale, ContentfulJson][])
        if (typeof value === 'string' && value.trim() !== '') texts[locale] = value.trim();
      if (Object.keys(texts).length > 0) return texts;
    }
    return undefined;
  }

  /** The value every language shares: the default one's, else any. */
  value(entry: ExportEntry, names: string[]): ContentfulJson | undefined {
    for (const name of names) {
      const field = entry.fields[name];
      const value =
        fieldValue(field, this.defaultLocale, this.#reading.locales.fallbacks) ?? Object.values(field ?? {})[0];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  list(entry: ExportEntry, names: string[]): ContentfulJson[] {
    const value = this.value(entry, names);
    return Array.isArray(value) ? value : value === undefined ? [] : [value];
  }

  links(entry: ExportEntry, names: string[]): ExportEntry[] {
    return this.list(entry, names).flatMap((value) => {
      const id = linkedId(value);
      const linked = id === undefined ? undefined : this.#entries.get(id);
      return linked ? [linked] : [];
    });
  }
}

/** Editors file modules under labels, `Hello world > Copy`, which readers are not shown; nor is a second heading. */
function isHeading(title: string | undefined, text: string): boolean {
  return title !== undefined && !/\s(?:[>›→|/]|::)\s/.test(title) && !/^#{1,6}\s/.test(text);
}

function inBrackets(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ');
}

function linkedId(value: ContentfulJson): string | undefined {
  const sys = typeof value === 'object' && value !== null && !Array.isArray(value) ? value.sys : undefined;
  const id = typeof sys === 'object' && sys !== null && !Array.isArray(sys) ? sys.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The page of an entry that has one by its slug alone. */
function pageOf(entry: ExportEntry | undefined, locale: Locale): string | undefined {
  const slug = entry?.slug?.[locale];
  if (slug === undefined) return undefined;
  switch (entry?.productType) {
    case 'course':
      return pagePath(['course', slug]);
    case 'microcourse':
      return pagePath(['microcourse', slug]);
    case 'academy':
      return pagePath(['academy', slug]);
    case 'communityPage':
      return pagePath(['community', slug]);
    default:
      return undefined;
  }
}
