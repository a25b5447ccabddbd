import { type ProductType, productTypeOf } from '#server/areas/catalogue/product-type.policy.ts';
import type { DeliveredEntry, DeliveredLocale, DeliveredType } from './delivery-answers.format.ts';

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
export const versionOf = ({ sys }: DeliveredEntry): number => sys.publishedVersion ?? sys.revision;

type Link = { sys: { type: 'Link'; linkType: 'Entry'; id: string } };

function isEntryLink(value: unknown): value is Link {
  const { sys } = (typeof value === 'object' && value !== null ? value : {}) as { sys?: Partial<Link['sys']> }; // only read
  return sys?.type === 'Link' && sys.linkType === 'Entry' && typeof sys.id === 'string';
}

/** The entries that an import reads together with this one, in any language. */
export function heldIds({ fields }: DeliveredEntry): string[] {
  const values = LINK_FIELDS.flatMap((name) => Object.values(fields[name] ?? {}));
  return [...new Set(values.flat().filter(isEntryLink).map((link) => link.sys.id))]; // prettier-ignore
}

/** The same JSON that an export of the space has, of these entries alone. */
export function toExport(
  entries: DeliveredEntry[],
  versions: ReadonlyMap<string, number>,
  space: { locales: DeliveredLocale[]; types: DeliveredType[] },
): object {
  return {
    locales: space.locales,
    contentTypes: space.types,
    entries: entries.map((entry) => {
      const { id, contentType } = entry.sys;
      // An event may have told a higher version, of the publishing itself; it stays the one that later events must exceed.
      const version = Math.max(versionOf(entry), versions.get(id) ?? 0);
      return { sys: { id, contentType, version, publishedVersion: version }, fields: entry.fields };
    }),
  };
}
