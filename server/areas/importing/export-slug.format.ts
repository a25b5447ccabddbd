import { Slug } from '@officium/contract/common';
import { slugFrom } from '#server/text/slug.ts';

const MAX_SLUG = 128;

/**
 * Returns the slug of an exported entry as it is, or transliterated if it has letters of other scripts. Other faults,
 * such as capitals and spaces, are not repaired, because links of the old site would lead nowhere.
 */
export function importedSlug(value: string): string | undefined {
  const slug = value.trim();
  if (Slug.safeParse(slug).success) return slug;
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(slug)) return undefined;
  return slugFrom(slug, MAX_SLUG) || undefined;
}
