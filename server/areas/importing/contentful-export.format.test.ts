import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { UNSTORABLE } from '#server/text/storable.ts';
import { productTypeOf } from '#server/areas/catalogue/product-type.policy.ts';
import { fieldValue, readContentfulExport } from './contentful-export.format.ts';
import { bestLocale, mapLocales } from '#server/areas/catalogue/contentful-locales.policy.ts';

const link = (id: string) => ({ sys: { type: 'Link', linkType: 'ContentType', id } });
const entry = (id: string, fields: object, sys: object = {}) => ({
  sys: {
    id,
    version: 2,
    publishedVersion: 1,
    publishedAt: '2022-09-15T14:33:42.628Z',
    contentType: link('lesson'),
    ...sys,
  },
  fields,
});
const source = (entries: unknown[], locales: object[] = [{ code: 'en-US', default: true }], rest: object = {}) => ({
  contentTypes: [{ sys: { id: 'lesson' }, name: 'Lesson', displayField: 'title' }],
  entries,
  locales,
  ...rest,
});

test.each([
  ['en-US', 'en'],
  ['de-DE', 'de'],
  ['pt-BR', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['pt-PT', 'pt'],
  ['es-MX', 'es-419'],
  ['es-ES', 'es'],
  ['es', 'es'],
  ['es-419', 'es-419'],
  ['fr-CA', 'fr-CA'],
  ['fr-BE', 'fr'],
  ['sr', 'sr-Cyrl'],
  ['sr-Cyrl-RS', 'sr-Cyrl'],
  ['sr-Latn', undefined],
  ['in-ID', 'id'],
  ['ar-EG', 'ar'],
  ['zh-CN', undefined],
  ['en_GB', 'en'],
  ['!', undefined],
])('maps the locale %s to %s', (code, locale) => expect(bestLocale(code)).toBe(locale));

describe('mapLocales', () => {
  it('keeps the fallback chain across unsupported languages', () => {
    const map = mapLocales([
      { code: 'en-US', default: true, fallbackCode: null },
      { code: 'nl', fallbackCode: 'de-DE' },
      { code: 'de-DE', fallbackCode: 'en-US' },
      { code: 'fr', fallbackCode: 'nl' },
      { code: 'it', fallbackCode: null },
    ]);
    expect(map.fallbacks).toEqual({ de: 'en', fr: 'de' });
    expect(map).toMatchObject({ defaultLocale: 'en', unmapped: ['nl'] });
  });

  it('prefers the exact locale, then the default one, then the first', () => {
    expect(mapLocales([{ code: 'en-US', default: true }, { code: 'en-GB' }, { code: 'en' }]).sources.get('en')).toEqual(
      ['en', 'en-US', 'en-GB'],
    );
    expect(mapLocales([{ code: 'en-GB' }, { code: 'en-US', default: true }]).sources.get('en')).toEqual([
      'en-US',
      'en-GB',
    ]);
    expect(mapLocales([{ code: 'es-MX' }, { code: 'es-AR' }]).sources.get('es-419')).toEqual(['es-MX', 'es-AR']);
  });

  it('handles a circular fallback chain', () => {
    const map = mapLocales([
      { code: 'de', fallbackCode: 'fr' },
      { code: 'fr', fallbackCode: 'de' },
    ]);
    expect(map.fallbacks).toEqual({ de: 'fr', fr: 'de' });
    expect(fieldValue({}, 'de', map.fallbacks)).toBeUndefined();
  });
});

describe('readContentfulExport', () => {
  it('reads ids, types, versions, states and fields by product locale', () => {
    const { entries, faults } = readContentfulExport(
      source(
        [
          entry('a.1', {
            title: { 'en-US': 'A', 'en-GB': 'B' },
            slug: { 'en-US': ' a ' },
            only: { 'en-GB': 'x' },
            nil: { 'en-US': null },
          }),
          entry('draft', {}, { publishedVersion: undefined, publishedAt: undefined }),
          entry('archived', {}, { archivedVersion: 3 }),
        ],
        [{ code: 'en-GB' }, { code: 'en-US', default: true }],
      ),
    );
    expect(faults).toEqual([]);
    expect(entries).toEqual([
      {
        id: 'a.1',
        contentType: 'lesson',
        productType: 'lesson',
        version: 2,
        publishedAt: '2022-09-15T14:33:42.628Z',
        status: 'published',
        fields: { title: { en: 'A' }, slug: { en: ' a ' }, only: { en: 'x' }, nil: {} },
        slug: { en: 'a' },
      },
      expect.objectContaining({ id: 'draft', status: 'hidden' }),
      expect.objectContaining({ id: 'archived', status: 'hidden' }),
    ]);
  });

  it('warns of unpublished edits', () => {
    expect(readContentfulExport(source([entry('a', {}, { version: 9 })])).warnings).toMatchObject([{ id: 'a' }]);
  });

  it('refuses unstorable text and excessive nesting', () => {
    const deep: object = Array.from({ length: 30_000 }).reduce<object>((inner) => [inner], []);
    const reading = readContentfulExport(
      source([
        entry('null', { slug: { 'en-US': 'a\0b' } }),
        entry('half', { title: { 'en-US': ['\ud800'] } }),
        entry('deep', { title: { 'en-US': deep } }),
      ]),
    );
    expect(reading.faults.map(({ field, message }) => [field, message])).toEqual([
      ['entries[0].fields.slug.en-US', UNSTORABLE],
      ['entries[1].fields.title.en-US', UNSTORABLE],
      ['entries[2].fields.title.en-US', 'Must not be nested more than 100 levels deep'],
    ]);
  });

  it('reports every fault and keeps valid entries', () => {
    const { entries, faults } = readContentfulExport(
      source([
        entry('ok', {}),
        entry('ok', {}),
        entry('bad id!', {}),
        { sys: { id: 'x' } },
        7,
        entry('y', { title: 'plain' }),
      ]),
    );
    expect(entries.map(({ id }) => id)).toEqual(['ok']);
    expect(faults.map(({ field }) => field)).toEqual([
      'entries[1].sys.id',
      'entries[2].sys.id',
      'entries[3].sys.contentType',
      'entries[4]',
      'entries[5].fields.title',
    ]);
  });

  test.each([null, [], 'x', {}, { locales: [] }, { locales: [{ code: 'en' }], entries: {} }])(
    'reports faults for %j',
    (value) => {
      const reading = readContentfulExport(value);
      expect(reading.faults.length).toBeGreaterThan(0);
      expect(reading.entries).toEqual([]);
    },
  );

  it('reads assets and warns of assets without a file', () => {
    const asset = (id: string, file: object) => ({
      sys: { id, version: 1, publishedVersion: 0 },
      fields: { file: { 'en-US': file } },
    });
    const { assets, warnings } = readContentfulExport(
      source([], undefined, {
        assets: [
          asset('a', {
            url: '//h.example/x.png',
            fileName: 'x.png',
            contentType: 'image/png',
            details: { size: 7, image: { width: 1, height: 2 } },
          }),
          asset('b', { upload: 'x' }),
        ],
      }),
    );
    expect(assets[0]!.file).toEqual({
      en: { url: 'https://h.example/x.png', fileName: 'x.png', mime: 'image/png', size: 7, width: 1, height: 2 },
    });
    expect(warnings).toMatchObject([{ id: 'b', field: 'fields.file.en' }]);
  });
});

test.each([
  ['course', '', 'course'],
  ['communityPage', '', 'communityPage'],
  ['4xY9', 'Course Journey', 'courseJourney'],
  ['topicProduct', '📄 Product', undefined],
])('maps the content type %s with the name %j to %s', (id, name, type) => expect(productTypeOf(id, name)).toBe(type));

const file = new URL('../../../../shared/data/contentful-marketing-space/contentful-export.json', import.meta.url);

describe.runIf(existsSync(file))('the marketing space', () => {
  it('contains 58 entries, 22 assets and 7 pages with a slug', () => {
    const { entries, assets, locales, warnings, faults } = readContentfulExport(JSON.parse(readFileSync(file, 'utf8')));
    expect([entries.length, assets.length, faults.length, warnings.length]).toEqual([58, 22, 0, 0]);
    const pages = entries.filter(({ slug }) => slug);
    expect(pages).toHaveLength(7);
    for (const { productType, slug, fields } of pages) {
      expect(productType).toBe('page');
      expect(Object.keys(slug!)).toEqual(['en']);
      expect(fieldValue(fields.slug, 'de', locales.fallbacks)).toBe(slug!.en);
      expect(fieldValue(fields.slug, 'fr', locales.fallbacks)).toBeUndefined();
    }
    expect(entries.every(({ status }) => status === 'published')).toBe(true);
    expect(locales).toMatchObject({ defaultLocale: 'en', fallbacks: { de: 'en' } });
  });
});
