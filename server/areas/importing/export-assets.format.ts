import type { Locale, LocalizedText } from '@officium/contract/common';
import { EXTENSIONS } from '#server/areas/catalogue/stored-asset.view.ts';
import { type AssetFile, type ContentfulReading, type ExportAsset, fieldValue } from './contentful-export.format.ts';

/** A picture of an export: its path in the content folder and its URL on the platform. */
export type ExportPicture = { path: string; url: string; alt: string };

/** The published assets of an export: pictures by path in the content folder, other files by URL. */
export class ExportAssets {
  readonly #reading: ContentfulReading;
  readonly #assets: Map<string, ExportAsset>;
  readonly #idOfUrl = new Map<string, string>();

  constructor(reading: ContentfulReading) {
    this.#reading = reading;
    const published = reading.assets.filter((asset) => asset.status === 'published');
    this.#assets = new Map(published.map((asset) => [asset.id, asset]));
    for (const asset of published)
      for (const file of Object.values(asset.file)) this.#idOfUrl.set(withoutQuery(file.url), asset.id);
  }

  /** Returns a picture; undefined for other file types. */
  picture(id: string, locale: Locale): ExportPicture | undefined {
    const asset = this.#assets.get(id);
    const file = asset && this.#file(asset, locale);
    const extension = file && EXTENSIONS[file.mime];
    if (!extension) return undefined;
    const isOwn = asset.file[locale] !== undefined && locale !== this.#reading.locales.defaultLocale;
    const path = `assets/${id}-${asset.version}${isOwn ? `.${locale}` : ''}.${extension}`;
    return { path, url: file.url, alt: this.#text(asset, locale) };
  }

  /** Returns the picture of a URL, ignoring size parameters. */
  pictureAt(url: string, locale: Locale): ExportPicture | undefined {
    const id = this.#idOfUrl.get(withoutQuery(url));
    return id === undefined ? undefined : this.picture(id, locale);
  }

  file(id: string, locale: Locale): { url: string; title: string } | undefined {
    const asset = this.#assets.get(id);
    const file = asset && this.#file(asset, locale);
    return file && { url: file.url, title: this.#text(asset, locale) || file.fileName };
  }

  /** Returns the alternative texts of a picture by language. */
  alt(id: string): LocalizedText {
    const locales = [...this.#reading.locales.sources.keys()];
    const texts = locales.flatMap((locale) => {
      const text = this.picture(id, locale)?.alt;
      return text ? [[locale, text]] : [];
    });
    return Object.fromEntries(texts);
  }

  #file(asset: ExportAsset, locale: Locale): AssetFile | undefined {
    return fieldValue(asset.file, locale, this.#reading.locales.fallbacks) ?? Object.values(asset.file)[0];
  }

  /** Returns the alternative text: the asset's description, else its title. */
  #text({ fields }: ExportAsset, locale: Locale): string {
    for (const name of ['description', 'title']) {
      const value = fieldValue(fields[name], locale, this.#reading.locales.fallbacks);
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
    return '';
  }
}

function withoutQuery(url: string): string {
  return url.replace(/^https?:/, '').replace(/[?#].*$/s, '');
}
