import type { Locale, LocalizedText } from '@officium/contract/common';
import {
  type ContentfulJson,
  type ContentfulReading,
  type ExportEntry,
  fieldValue,
} from './contentful-export.format.ts';
import { isRichText, richTextToMarkdown } from './rich-text-markdown.format.ts';

const BODY_FIELDS = ['body', 'copy', 'content', 'text'];

/** Fields of the entries of an export, found under any of the names that content models give them. */
export class ExportFields {
  readonly defaultLocale: Locale;
  readonly #reading: ContentfulReading;
  readonly #entries: Map<string, ExportEntry>;

  constructor(reading: ContentfulReading) {
    this.defaultLocale = reading.locales.defaultLocale ?? 'en';
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
        if (typeof value === 'string' && value.trim() !== '') texts[locale] = value;
        else if (isRichText(value)) texts[locale] = richTextToMarkdown(value);
      }
      if (Object.keys(texts).length > 0) return texts;
    }
    return undefined;
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

  minutes(entry: ExportEntry): number {
    const value = this.value(entry, ['minutes', 'duration']);
    return typeof value === 'number' && value >= 0 ? Math.min(10_000, Math.round(value)) : 0;
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
      const sys = typeof value === 'object' && value !== null && !Array.isArray(value) ? value.sys : undefined;
      const id = typeof sys === 'object' && sys !== null && !Array.isArray(sys) ? sys.id : undefined;
      const linked = typeof id === 'string' ? this.#entries.get(id) : undefined;
      return linked ? [linked] : [];
    });
  }
}
