import type { Locale, LocalizedText } from '@officium/contract/common';
import { pagePath } from '#server/page-address.ts';
import {
  type ContentfulJson,
  type ContentfulReading,
  type ExportEntry,
  type ExportFinding,
  fieldValue,
} from './contentful-export.format.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { markdownToPlainText } from '#server/text/markdown.ts';
import { readingMinutes } from '#server/text/reading-time.ts';
import { ExportAssets, type ExportPicture } from './export-assets.format.ts';
import { isRichText, richTextToMarkdown, type Targets } from './rich-text-markdown.format.ts';

const BODY_FIELDS = ['body', 'copy', 'content', 'text'];
const PICTURE_FIELDS = ['image', 'picture', 'photo', 'media', 'asset'];
const COVER_FIELDS = ['cover', 'coverImage', 'heroImage', 'featuredImage', 'image', 'thumbnail'];
/** Page paths of entries that already exist, by id. */
export type Pages = ReadonlyMap<string, string>;

/** Reads fields of exported entries under any of the names that content models use. */
export class ExportFields {
  readonly defaultLocale: Locale;
  readonly #reading: ContentfulReading;
  readonly #entries: Map<string, ExportEntry>;
  readonly #assets: ExportAssets;
  /** URLs of the pictures in texts and covers, by path in the folder. */
  readonly pictures = new Map<string, string>();
  /** Embedded content that cannot be shown. */
  readonly leftOut: ExportFinding[] = [];
  readonly #pages: Pages;
  /** Rendered modules by id; undefined while rendering, because modules may contain each other. */
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

  /** Returns the text of an entry as Markdown. */
  markdown(entry: ExportEntry, names: readonly string[] = BODY_FIELDS): LocalizedText | undefined {
    for (const field of names) {
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

  /** Returns the Markdown of a module: title, text, picture and caption. */
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

  /** Returns the cover of an entry as a path in the folder. */
  cover(entry: ExportEntry, names = COVER_FIELDS): { cover: string; coverAlt: LocalizedText } | undefined {
    const id = this.#pictureId(entry, names);
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

  /** Replaces the platform URLs of pictures in Markdown with paths in the folder. */
  #withPictures(markdown: string, locale: Locale): string {
    return markdown.replace(
      /!\[((?:[^\]\\]|\\.)*)\]\(<?((?:https?:)?\/\/[^\s<>)]+)>?((?:\s+"[^"]*")?)\)/g,
      (whole, alt: string, url: string, title: string) => {
        const picture = this.#assets.pictureAt(url, locale);
        // A page shows no picture of another site, but names an address only with its protocol.
        if (!picture) return url.startsWith('//') ? whole.replace(url, `https:${url}`) : whole;
        this.pictures.set(picture.path, picture.url);
        return `![${alt || picture.alt}](${picture.path}${title})`;
      },
    );
  }

  /** Renders a module of one code sample, whose language is in a field of its own. */
  #codeWithLanguage(entry: ExportEntry): LocalizedText | undefined {
    const code = this.texts(entry, ['code', 'snippet', 'source', 'sourceCode']);
    const language = this.value(entry, ['language', 'lang', 'programmingLanguage', 'syntax']);
    if (!code || typeof language !== 'string') return undefined;
    const name = language.toLowerCase().replace(/[^a-z0-9+#.-]/g, '');
    const fenced = Object.entries(code).map(([locale, text]) => [locale, `\`\`\`\`${name}\n${text}\n\`\`\`\``]);
    return Object.fromEntries(fenced);
  }

  /** Renders a module of code samples, with one field per programming language. */
  code(entry: ExportEntry): LocalizedText | undefined {
    if (!/code|snippet/i.test(entry.contentType)) return undefined;
    const named = this.#codeWithLanguage(entry);
    if (named) return named;
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

  /** Returns the minutes given in the entry, else the estimated reading time. */
  minutes(entry: ExportEntry, body: LocalizedText): number {
    const value = this.value(entry, ['minutes', 'duration']);
    if (typeof value === 'number' && value >= 0) return Math.min(10_000, Math.round(value));
    const text = body[this.defaultLocale] ?? Object.values(body)[0] ?? '';
    return readingMinutes(markdownToPlainText(text, { blocks: LESSON_BLOCKS }));
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

  /** Returns a value that does not depend on language: the default locale's, else any. */
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

/** False for editors' labels such as `Hello world > Copy`, and when the text has a heading already. */
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

/** Returns the page path of an entry whose path depends only on its slug. */
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
    case 'qaQuestion':
      return pagePath(['question', slug]);
    case 'solutionArticle':
      return pagePath(['solution', slug]);
    case 'event':
      return pagePath(['event', slug]);
    case 'learningHub':
      return pagePath(['hub', slug]);
    default:
      return undefined;
  }
}
