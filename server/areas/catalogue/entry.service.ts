import type { Locale } from '@officium/contract/common';
import { DEFAULT_LOCALE } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import { recordAction } from '#server/audit/audit.ts';
import { communitySight } from '#server/access/can.ts';
import { type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { visibleJourneys } from './catalogue.policy.ts';
import * as catalogue from './catalogue.service.ts';
import * as entries from './entry.repository.ts';
import type { EntryEvent } from './entry-event.format.ts';
import { hasEntry } from './product.repository.ts';

/** An entry's slugs by locale: all it has of its own (`*`), or the one a locale is served, under the locale it comes from. */
export async function readSlug(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  locale: Locale | '*' = DEFAULT_LOCALE,
): Promise<Record<string, string>> {
  const row = await entries.getEntry(ctx.db, id);
  // An entry that does not exist is looked up like a community's, so that it costs the same queries as a hidden one.
  const isVisible = await isSeen(ctx.db, viewer, { id, kind: row ? row.kind : 'community' });
  if (!row || !isVisible) throw notFound();
  const found = locale === '*' ? row.slug : slugFor(row, locale);
  if (Object.keys(found).length === 0) throw new AppError('content.no_slug');
  return found;
}

/** Along the chain of the entry's source where it knows the language, along ours where it does not. */
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

/** What the catalogue hides from a viewer is hidden here too; entries that are not part of it are for everyone. */
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
  return found.filter((row) => communitySight(viewer, row, row.membership) !== 'hidden');
}

/** Which pages of these slugs a viewer sees, as the path of each: `courses/<slug>`. */
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

/** It has a key of its own, and no name among the services. */
const PLATFORM: Viewer = { kind: 'service', name: 'content-platform' };

/** Has a published entry fetched from the platform; answers false when no platform is configured. */
export type EnqueueFetch = (ctx: Ctx, db: Db, entryId: string) => Promise<boolean>;

/**
 * Takes what a content platform tells of an entry. Answers whether the entry stands in the index
 * afterwards, and whether only the index changed, since nobody fetches the entry.
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
