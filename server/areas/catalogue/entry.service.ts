import type { Locale } from '@officium/contract/common';
import { DEFAULT_LOCALE } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import { recordAction } from '#server/audit/audit.ts';
import { communityVisibility } from '#server/access/can.ts';
import { type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { visibleJourneys } from './catalogue.policy.ts';
import * as catalogue from './catalogue.service.ts';
import * as entries from './entry.repository.ts';
import type { EntryEvent } from './entry-event.format.ts';
import { isEditorialSeen } from './editorial.service.ts';
import { hasEntry } from './product.repository.ts';

/**
 * Returns an entry's slugs by locale: all of them (`*`), or the one served for a locale, keyed by its actual locale.
 */
export async function readSlug(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  locale: Locale | '*' = DEFAULT_LOCALE,
): Promise<Record<string, string>> {
  const row = await entries.getEntry(ctx.db, id);
  // A missing entry is looked up as a community, so that it takes the same queries as a hidden one.
  const isVisible = await isSeen(ctx.db, viewer, { id, kind: row ? row.kind : 'community' });
  if (!row || !isVisible) throw notFound();
  const found = locale === '*' ? row.slug : slugFor(row, locale);
  if (Object.keys(found).length === 0) throw new AppError('content.no_slug');
  return found;
}

/** Follows the fallback chain of the entry's source for locales it defines, and our own chain for others. */
export function slugFor({ slug, fallbacks }: entries.SlugRow, locale: Locale): Record<string, string> {
  const chain: Locale[] = [];
  for (const own of chainOf(locale)) {
    for (let at: Locale | null | undefined = own; at && !chain.includes(at); at = fallbacks[at]) chain.push(at);
    if (own in fallbacks) break;
  }
  const served = chain.find((candidate) => slug[candidate] !== undefined);
  const text = served && slug[served];
  return served && text !== undefined ? { [served]: text } : {};
}

/** Hides entries that the catalogue hides from the viewer. Entries outside the catalogue are visible to everyone. */
async function isSeen(
  db: Db,
  viewer: Viewer,
  { id, kind }: { id: string; kind: entries.EntryKind | null },
): Promise<boolean> {
  switch (kind) {
    case 'course':
      return await catalogue.isCourseSeen(db, viewer, id);
    case 'academy':
      return await catalogue.isAcademySeen(db, viewer, id);
    case 'microcourse':
      return await catalogue.isMicrocourseSeen(db, viewer, id);
    case 'journey':
      return await isJourneySeen(db, viewer, id);
    case 'editorial':
      return await isEditorialSeen(db, viewer, id);
    case 'community':
      return (await seenCommunities(db, viewer, { by: 'entry_id', values: [id] })).length > 0;
    case null:
      return true;
  }
}

async function seenCommunities(
  db: Db,
  viewer: Viewer,
  named: { by: 'slug' | 'entry_id'; values: string[] },
): Promise<entries.EntryCommunityRow[]> {
  const found = await entries.findEntryCommunities(db, { ...named, userId: viewerId(viewer) });
  return found.filter((row) => communityVisibility(viewer, row, row.membership) !== 'hidden');
}

/** Returns the paths (`courses/<slug>`) of the pages with these slugs that a viewer may see. */
export async function seenPages(db: Db, viewer: Viewer, slugs: string[]): Promise<Set<string>> {
  const named = { by: 'slug', values: slugs } as const;
  const [courses, microcourses, communities] = await Promise.all([
    catalogue.seenCourses(db, viewer, named),
    catalogue.seenMicrocourses(db, viewer, named),
    seenCommunities(db, viewer, named),
  ]);
  return new Set([
    ...courses.map(({ row }) => `courses/${row.slug}`),
    ...microcourses.map(({ slug }) => `microcourses/${slug}`),
    ...communities.map(({ slug }) => `communities/${slug}`),
  ]);
}

async function isJourneySeen(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const journey = await entries.getEntryJourney(db, { entryId: id, userId: viewerId(viewer) });
  if (!journey) return false;
  const seen = visibleJourneys(viewer, journey.course, journey.journeys);
  return seen?.some((candidate) => candidate.entryId === id) ?? false;
}

/** The content platform authenticates with its own key and is not a configured service. */
const PLATFORM: Viewer = { kind: 'service', name: 'content-platform' };

/** Enqueues the fetch of a published entry; false when no platform is configured. */
export type EnqueueFetch = (ctx: Ctx, db: Db, entryId: string) => Promise<boolean>;

/**
 * Handles an entry event of the content platform. `indexed`: the entry is in the index afterwards. `onlyIndex`: only
 * the index changed, because no platform is configured to fetch the entry from.
 */
export async function takeEvent(
  ctx: Ctx,
  event: EntryEvent,
  { topic, requestId, enqueueFetch }: { topic: string; requestId: string; enqueueFetch: EnqueueFetch },
): Promise<{ indexed: boolean; onlyIndex: boolean }> {
  const received = { ...event, topic: topic.slice(0, 200), requestId };
  if (event.action === 'none') {
    await entries.insertContentEvent(ctx.db, { ...received, reason: 'topic' });
    return { indexed: false, onlyIndex: false };
  }
  return await inTransaction(ctx.db, async (db) => {
    await entries.lockEvents(db, event.id);
    const isKnown = await hasEntry(db, event.id);
    const isChanged =
      event.action === 'publish' ? await entries.putPublished(db, event) : await entries.putWithdrawn(db, event);
    const reason = isChanged ? null : isKnown || event.action === 'publish' ? 'older' : 'absent';
    const onlyIndex = isChanged && event.action === 'publish' && !(await enqueueFetch(ctx, db, event.id));
    await entries.insertContentEvent(db, { ...received, reason, onlyIndex });
    if (isChanged)
      await recordAction(db, PLATFORM, {
        action: event.action === 'publish' ? 'content.publish' : 'content.withdraw',
        object: event.id,
        detail: { version: event.version },
        requestId,
      });
    ctx.log.info(
      { entry: event.id, action: event.action, version: event.version, isChanged, onlyIndex },
      'content event',
    );
    return { indexed: await entries.isPublished(db, event.id), onlyIndex };
  });
}
