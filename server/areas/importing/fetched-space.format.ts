import { EDITORIAL_TYPES, editorialKindOf } from '#server/areas/catalogue/editorial.policy.ts';
import { type ProductType, productTypeOf } from '#server/areas/catalogue/product-type.policy.ts';
import type { DeliveredAsset, DeliveredEntry, DeliveredLocale, DeliveredType } from './delivery-answers.format.ts';

/** Link fields that an import follows, from academies down to the modules of a lesson, and to topics and contacts. */
const LINK_FIELDS =
  'courses journeys courseJourneys sections lessons modules body content topics topic tags categories category contacts runBy instructors'.split(
    ' ',
  );

/** Types that are imported as a whole, with everything they contain. */
const ROOTS: ReadonlySet<ProductType | undefined> = new Set([
  ...(['academy', 'communityPage', 'course', 'microcourse'] as const),
  ...Object.values(EDITORIAL_TYPES),
]);

export type Kinds = Map<string, ProductType | undefined>;

export const kindsOf = (types: DeliveredType[]): Kinds =>
  new Map(types.map(({ sys, name }) => [sys.id, productTypeOf(sys.id, name)]));

export function kindOf(entry: DeliveredEntry, kinds: Kinds): ProductType | undefined {
  const { id } = entry.sys.contentType.sys;
  return kinds.has(id) ? kinds.get(id) : productTypeOf(id);
}

export const isEditorial = (entry: DeliveredEntry, kinds: Kinds): boolean =>
  editorialKindOf(kindOf(entry, kinds)) !== undefined;

export const isRoot = (entry: DeliveredEntry, kinds: Kinds): boolean => ROOTS.has(kindOf(entry, kinds));

/** Returns the published version of an entry or asset. */
export const versionOf = ({ sys }: Pick<DeliveredAsset, 'sys'>): number => sys.publishedVersion ?? sys.revision;

type Link = { sys: { type: 'Link'; linkType: string; id: string } };

function isLink(value: unknown): value is Link {
  const { sys } = (typeof value === 'object' && value !== null ? value : {}) as { sys?: Partial<Link['sys']> }; // only read
  return sys?.type === 'Link' && typeof sys.linkType === 'string' && typeof sys.id === 'string';
}

/** Yields a value and all nested objects. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

const EMBEDDED = /^embedded-entry/;

/** Returns the ids of entries to import with this one, in any language: linked and embedded entries. */
export function heldIds({ fields }: DeliveredEntry, names: readonly string[] = LINK_FIELDS): string[] {
  const linked = names.flatMap((name) => Object.values(fields[name] ?? {})).flat();
  const embedded = [...objectsIn(fields)].flatMap((node) =>
    'nodeType' in node && EMBEDDED.test(String(node.nodeType)) && 'data' in node
      ? [(node.data as { target?: unknown } | null)?.target] // only read
      : [],
  );
  const links = [...linked, ...embedded].filter(isLink).filter(({ sys }) => sys.linkType === 'Entry');
  return [...new Set(links.map(({ sys }) => sys.id))];
}

/** The same ids without the links of an editorial, which contains none of the courses and lessons it links to. */
export const heldBy = (entry: DeliveredEntry, kinds: Kinds): string[] =>
  isEditorial(entry, kinds) ? heldIds(entry, []) : heldIds(entry);

/** Returns the ids of entries that fields link to, in any language and in field order, without those in texts. */
export function linkedEntryIds(fields: Readonly<Record<string, object>>): string[] {
  const links = Object.values(fields)
    .flatMap((values) => Object.values(values).flat())
    .filter(isLink);
  return links.filter(({ sys }) => sys.linkType === 'Entry').map(({ sys }) => sys.id);
}

/** Matches the URL of a picture on the platform, which contains the space and the asset id. */
const PICTURE_ADDRESS = /\/\/images\.[a-z.]*ctfassets\.net\/[^/\s]+\/([A-Za-z0-9_-]{1,64})\//g;

/** Returns the ids of assets an entry links to or shows, in any language. */
export function assetIds({ fields }: DeliveredEntry): string[] {
  const links = [...objectsIn(fields)].filter(isLink).filter(({ sys }) => sys.linkType === 'Asset');
  const addresses = JSON.stringify(fields).matchAll(PICTURE_ADDRESS);
  return [...new Set([...links.map(({ sys }) => sys.id), ...[...addresses].map(([, id = '']) => id)])];
}

/** Builds the JSON of a space export that contains only these entries. */
export function toExport(
  entries: DeliveredEntry[],
  versions: ReadonlyMap<string, number>,
  space: { locales: DeliveredLocale[]; types: DeliveredType[]; assets: DeliveredAsset[] },
): object {
  return {
    locales: space.locales,
    contentTypes: space.types,
    assets: space.assets.map((asset) => {
      const { id } = asset.sys;
      const version = versionOf(asset);
      return { sys: { id, version, publishedVersion: version }, fields: asset.fields };
    }),
    entries: entries.map((entry) => {
      const { id, contentType } = entry.sys;
      // The event may contain a higher version, because publishing increments it. Later events must exceed that
      // version.
      const version = Math.max(versionOf(entry), versions.get(id) ?? 0);
      return { sys: { id, contentType, version, publishedVersion: version }, fields: entry.fields };
    }),
  };
}
