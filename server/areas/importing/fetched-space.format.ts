import { type ProductType, productTypeOf } from '#server/areas/catalogue/product-type.policy.ts';
import type { DeliveredAsset, DeliveredEntry, DeliveredLocale, DeliveredType } from './delivery-answers.format.ts';

/** The links that an import follows, from academies down to the modules of a lesson. */
const LINK_FIELDS = ['courses', 'journeys', 'courseJourneys', 'sections', 'lessons', 'modules', 'body', 'content'];

/** Types that are imported as a whole, with all that they hold. */
const ROOTS: ReadonlySet<ProductType | undefined> = new Set(['academy', 'communityPage', 'course', 'microcourse']);

export type Kinds = Map<string, ProductType | undefined>;

export const kindsOf = (types: DeliveredType[]): Kinds =>
  new Map(types.map(({ sys, name }) => [sys.id, productTypeOf(sys.id, name)]));

export function kindOf(entry: DeliveredEntry, kinds: Kinds): ProductType | undefined {
  const { id } = entry.sys.contentType.sys;
  return kinds.has(id) ? kinds.get(id) : productTypeOf(id);
}

export const isRoot = (entry: DeliveredEntry, kinds: Kinds): boolean => ROOTS.has(kindOf(entry, kinds));

/** Versions of one entry as the platform counts its publications. */
export const versionOf = ({ sys }: Pick<DeliveredAsset, 'sys'>): number => sys.publishedVersion ?? sys.revision;

type Link = { sys: { type: 'Link'; linkType: string; id: string } };

function isLink(value: unknown): value is Link {
  const { sys } = (typeof value === 'object' && value !== null ? value : {}) as { sys?: Partial<Link['sys']> }; // only read
  return sys?.type === 'Link' && typeof sys.linkType === 'string' && typeof sys.id === 'string';
}

/** Every object in a value, itself among them. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* objectsIn(part);
}

const EMBEDDED = /^embedded-entry/;

/** The entries that an import reads together with this one, in any language: those it links to, and those in its texts. */
export function heldIds({ fields }: DeliveredEntry): string[] {
  const linked = LINK_FIELDS.flatMap((name) => Object.values(fields[name] ?? {})).flat();
  const embedded = [...objectsIn(fields)].flatMap((node) =>
    'nodeType' in node && EMBEDDED.test(String(node.nodeType)) && 'data' in node
      ? [(node.data as { target?: unknown } | null)?.target] // only read
      : [],
  );
  const links = [...linked, ...embedded].filter(isLink).filter(({ sys }) => sys.linkType === 'Entry');
  return [...new Set(links.map(({ sys }) => sys.id))];
}

/** In the address of a picture the platform serves: the space, then the asset. */
const PICTURE_ADDRESS = /\/\/images\.[a-z.]*ctfassets\.net\/[^/\s]+\/([A-Za-z0-9_-]{1,64})\//g;

/** The assets an entry links to or shows, in any language. */
export function assetIds({ fields }: DeliveredEntry): string[] {
  const links = [...objectsIn(fields)].filter(isLink).filter(({ sys }) => sys.linkType === 'Asset');
  const addresses = JSON.stringify(fields).matchAll(PICTURE_ADDRESS);
  return [...new Set([...links.map(({ sys }) => sys.id), ...[...addresses].map(([, id = '']) => id)])];
}

/** The same JSON that an export of the space has, of these entries alone. */
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
      // An event may have told a higher version, of the publishing itself; it stays the one that later events must exceed.
      const version = Math.max(versionOf(entry), versions.get(id) ?? 0);
      return { sys: { id, contentType, version, publishedVersion: version }, fields: entry.fields };
    }),
  };
}
