import type { BriefEntry, PlatformEntry } from '@officium/contract/content';
import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import { bestLocale } from './contentful-locales.policy.ts';
import { productTypeOf } from './product-type.policy.ts';

/** An entry event of the content platform in our own terms. */
export type EntryEvent = {
  id: string;
  action: 'publish' | 'withdraw' | 'none';
  version: number | undefined;
  contentType: string | undefined;
  /** `isWhole`: replaces all stored slugs; otherwise merged into them. Undefined when the event has no slug. */
  slug: { slugs: Record<string, string>; isWhole: boolean } | undefined;
  /** Values by field and locale; undefined when the event has none. */
  fields: Record<string, Record<string, unknown>> | undefined;
};

const ACTIONS: Record<string, EntryEvent['action']> = {
  publish: 'publish',
  unpublish: 'withdraw',
  archive: 'withdraw',
  delete: 'withdraw',
};

/** Maps a topic such as `ContentManagement.Entry.publish` to an action. Topics of assets and others map to `none`. */
export function actionOf(topic: string): EntryEvent['action'] {
  const [, kind, verb] = /^(?:[A-Za-z]+\.)?([A-Za-z]+)\.([A-Za-z_]+)$/.exec(topic.trim()) ?? [];
  return kind === 'Entry' && verb !== undefined && Object.hasOwn(ACTIONS, verb) ? (ACTIONS[verb] ?? 'none') : 'none';
}

export function readEvent(
  body: BriefEntry | PlatformEntry,
  action: EntryEvent['action'],
  headerVersion: number | undefined,
): EntryEvent {
  return 'sys' in body ? ofPlatform(body, action, headerVersion) : ofBrief(body, action, headerVersion);
}

function ofBrief(
  { id, contentType, slug, version }: BriefEntry,
  action: EntryEvent['action'],
  headerVersion: number | undefined,
): EntryEvent {
  const slugs = typeof slug === 'string' ? { [DEFAULT_LOCALE]: slug } : byLocale(slug ?? {});
  const named = textsOf(slugs);
  return {
    id,
    action,
    version: version ?? headerVersion,
    contentType: productTypeOf(contentType) ?? contentType,
    slug: Object.keys(named).length > 0 ? { slugs: named, isWhole: typeof slug !== 'string' } : undefined,
    fields: undefined,
  };
}

function ofPlatform(
  { sys, fields }: PlatformEntry,
  action: EntryEvent['action'],
  headerVersion: number | undefined,
): EntryEvent {
  const contentType = sys.contentType?.sys.id;
  const mapped = fields && Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, byLocale(values)]));
  return {
    id: sys.id,
    action,
    version: sys.version ?? headerVersion,
    contentType: contentType === undefined ? undefined : (productTypeOf(contentType) ?? contentType),
    slug: mapped && { slugs: textsOf(mapped['slug'] ?? {}), isWhole: true },
    fields: mapped,
  };
}

/** Maps values to our locales. If two source locales map to one of ours, the exact code wins, then the first. */
function byLocale<Value>(values: Record<string, Value>): Partial<Record<Locale, Value>> {
  const found: Partial<Record<Locale, Value>> = {};
  for (const [code, value] of Object.entries(values)) {
    const locale = bestLocale(code);
    if (locale && value !== null && (found[locale] === undefined || code.toLowerCase() === locale.toLowerCase()))
      found[locale] = value;
  }
  return found;
}

function textsOf(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([locale, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[locale, value.trim()]] : [],
    ),
  );
}
