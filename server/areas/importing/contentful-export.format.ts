import { EntryId, type Locale } from '@officium/contract/common';
import { z } from 'zod';
import { inputMessage } from '#server/text/input-message.ts';
import { isTooDeep, isUnstorable, MAX_NESTING, UNSTORABLE } from '#server/text/storable.ts';
import { type LocaleMap, mapLocales } from '#server/areas/catalogue/contentful-locales.policy.ts';
import { type ProductType, productTypeOf } from '#server/areas/catalogue/product-type.policy.ts';

export type ContentfulJson = null | boolean | number | string | ContentfulJson[] | { [key: string]: ContentfulJson };
/** The values of a field by our locale, before any fallback. */
export type LocalizedField = Partial<Record<Locale, ContentfulJson>>;
export type ExportFinding = { id: string; field: string; message: string };

type Item = {
  id: string;
  version: number;
  publishedAt?: string;
  /** `hidden`: a draft, or archived. */
  status: 'published' | 'hidden';
  fields: Record<string, LocalizedField>;
};
export type ExportEntry = Item & {
  contentType: string;
  productType?: ProductType;
  slug?: Partial<Record<Locale, string>>;
};
export type ExportAsset = Item & { file: Partial<Record<Locale, AssetFile>> };
export type AssetFile = { url: string; fileName: string; mime: string; size?: number; width?: number; height?: number };
export type ExportContentType = { id: string; name: string; displayField?: string; productType?: ProductType };

export type ContentfulReading = {
  entries: ExportEntry[];
  assets: ExportAsset[];
  contentTypes: ExportContentType[];
  locales: LocaleMap;
  warnings: ExportFinding[];
  faults: ExportFinding[];
};

const name = z.string().refine((value) => !isUnstorable(value), UNSTORABLE);
const link = z.object({ sys: z.object({ id: name }) });
/** The source is already parsed JSON, so this checks only that the database can store it. */
const json = z
  .custom<ContentfulJson>((value) => !isTooDeep(value), {
    error: `Must not be nested more than ${MAX_NESTING} levels deep`,
    abort: true,
  })
  .refine((value) => !isUnstorable(value), UNSTORABLE);
const item = z.object({
  sys: z.object({
    id: EntryId,
    version: z.int().min(0).optional(),
    publishedVersion: z.int().min(0).nullish(),
    archivedVersion: z.int().min(0).nullish(),
    publishedAt: z.iso.datetime({ offset: true }).nullish(),
    contentType: link.optional(),
  }),
  fields: z.record(name, z.record(z.string(), json)).default({}),
});
const entry = item.extend({ sys: item.shape.sys.extend({ contentType: link }) });
const contentType = z.object({
  sys: z.object({ id: z.string() }),
  name: z.string().default(''),
  displayField: z.string().nullish(),
});
const locale = z.object({ code: z.string(), fallbackCode: z.string().nullish(), default: z.boolean().optional() });
const file = z.object({
  url: z.string(),
  fileName: z.string().default(''),
  contentType: z.string().default('application/octet-stream'),
  details: z
    .object({ size: z.number().optional(), image: z.object({ width: z.number(), height: z.number() }).optional() })
    .default({}),
});
const spaceExport = z.object({
  contentTypes: z.array(contentType).default([]),
  entries: z.array(z.unknown()).default([]),
  assets: z.array(z.unknown()).default([]),
  locales: z.array(locale).min(1, 'An export names at least one locale'),
});

/** Reads the parsed JSON of `contentful space export`. Reports every fault and omits faulty items. */
export function readContentfulExport(source: unknown): ContentfulReading {
  const parsed = spaceExport.safeParse(source);
  const reading: ContentfulReading = {
    entries: [],
    assets: [],
    contentTypes: [],
    locales: mapLocales(parsed.success ? parsed.data.locales : []),
    warnings: [],
    faults: parsed.success ? [] : findings('', parsed.error),
  };
  if (!parsed.success) return reading;
  warnAboutLocales(reading);
  reading.contentTypes = readContentTypes(parsed.data.contentTypes);
  const types = new Map(reading.contentTypes.map((type) => [type.id, type.productType]));
  const seen = new Set<string>();
  for (const [index, value] of parsed.data.entries.entries()) {
    const result = readItem(entry, value, `entries[${index}]`, seen, reading);
    if (result) reading.entries.push(toEntry(result, types, reading));
  }
  const seenAssets = new Set<string>();
  for (const [index, value] of parsed.data.assets.entries()) {
    const result = readItem(item, value, `assets[${index}]`, seenAssets, reading);
    if (result) reading.assets.push(toAsset(result, reading));
  }
  return reading;
}

/** Returns the value of a field in a locale, else along the export's fallback chain; undefined when there is none. */
export function fieldValue<Value>(
  field: Partial<Record<Locale, Value>> | undefined,
  locale: Locale,
  fallbacks: LocaleMap['fallbacks'],
): Value | undefined {
  const seen = new Set<Locale>();
  for (let at: Locale | undefined = locale; at && !seen.has(at); at = fallbacks[at]) {
    if (field?.[at] !== undefined) return field[at];
    seen.add(at);
  }
  return undefined;
}

function readContentTypes(types: z.output<typeof contentType>[]): ExportContentType[] {
  return types.map(({ sys, name, displayField }) => {
    const productType = productTypeOf(sys.id, name);
    return { id: sys.id, name, ...(displayField ? { displayField } : {}), ...(productType ? { productType } : {}) };
  });
}

function readItem<T extends { sys: { id: string } }>(
  schema: z.ZodType<T>,
  value: unknown,
  place: string,
  seen: Set<string>,
  reading: ContentfulReading,
): T | undefined {
  const result = schema.safeParse(value);
  if (!result.success) {
    reading.faults.push(...findings(place, result.error));
    return undefined;
  }
  const { data } = result;
  if (seen.has(data.sys.id)) {
    reading.faults.push({ id: data.sys.id, field: `${place}.sys.id`, message: 'The id is used twice' });
    return undefined;
  }
  seen.add(data.sys.id);
  return data;
}

function toItem({ sys, fields }: z.output<typeof item>, reading: ContentfulReading): Item {
  const isPublished = typeof sys.publishedVersion === 'number' && typeof sys.archivedVersion !== 'number';
  const version = sys.version ?? sys.publishedVersion ?? 1;
  // Publishing increments the version by one. A larger difference means an unpublished edit.
  if (isPublished && version > (sys.publishedVersion ?? 0) + 1)
    reading.warnings.push({
      id: sys.id,
      field: '',
      message: 'Has unpublished changes; the export contains these, not the published text',
    });
  return {
    id: sys.id,
    version,
    ...(isPublished && sys.publishedAt ? { publishedAt: sys.publishedAt } : {}),
    status: isPublished ? 'published' : 'hidden',
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, values]) => [name, byProductLocale(values, reading.locales)]),
    ),
  };
}

function toEntry(
  source: z.output<typeof entry>,
  types: Map<string, ProductType | undefined>,
  reading: ContentfulReading,
): ExportEntry {
  const contentType = source.sys.contentType.sys.id;
  const base = toItem(source, reading);
  const productType = types.has(contentType) ? types.get(contentType) : productTypeOf(contentType);
  const slugs = Object.entries(base.fields.slug ?? {}).flatMap(([locale, slug]) =>
    typeof slug === 'string' && slug.trim() !== '' ? [[locale, slug.trim()]] : [],
  );
  return {
    ...base,
    contentType,
    ...(productType ? { productType } : {}),
    ...(slugs.length > 0 ? { slug: Object.fromEntries(slugs) } : {}),
  };
}

function toAsset(source: z.output<typeof item>, reading: ContentfulReading): ExportAsset {
  const base = toItem(source, reading);
  const files: ExportAsset['file'] = {};
  for (const [locale, value] of Object.entries(base.fields.file ?? {}) as [Locale, ContentfulJson][]) {
    const parsed = file.safeParse(value);
    // An asset that is still being processed has `upload` instead of `url`.
    if (!parsed.success) {
      reading.warnings.push({ id: base.id, field: `fields.file.${locale}`, message: 'Has no file' });
      continue;
    }
    const { url, fileName, contentType: mime, details } = parsed.data;
    files[locale] = {
      url: url.startsWith('//') ? `https:${url}` : url,
      fileName,
      mime,
      ...(details.size === undefined ? {} : { size: details.size }),
      ...(details.image ? { width: details.image.width, height: details.image.height } : {}),
    };
  }
  return { ...base, file: files };
}

/** If several source locales map to one of ours, the first in precedence wins and the others fill gaps. */
function byProductLocale(values: Record<string, ContentfulJson>, locales: LocaleMap): LocalizedField {
  const field: LocalizedField = {};
  for (const [locale, sources] of locales.sources) {
    const source = sources.find((code) => values[code] !== undefined && values[code] !== null);
    if (source !== undefined) field[locale] = values[source] as ContentfulJson; // found above
  }
  return field;
}

function warnAboutLocales(reading: ContentfulReading): void {
  for (const code of reading.locales.unmapped)
    reading.warnings.push({
      id: '',
      field: `locales.${code}`,
      message: 'Unsupported language: its texts are left out',
    });
  for (const [locale, [winner, ...others]] of reading.locales.sources)
    for (const other of others)
      reading.warnings.push({
        id: '',
        field: `locales.${other}`,
        message: `Also maps to ${locale}: used only where ${winner} has no value`,
      });
}

function findings(place: string, error: z.ZodError): ExportFinding[] {
  return error.issues.map((issue) => {
    const field = [place, ...issue.path].filter((part) => part !== '').join('.');
    return { id: '', field, message: inputMessage(issue, field || 'The export') };
  });
}
