import type { ReplyOf } from '@officium/contract/endpoint';
import type * as contract from '@officium/contract/operations';
import type { UserViewer } from '#server/access/viewer.ts';
import { readEvent } from '#server/areas/catalogue/entry-event.format.ts';
import { type EnqueueFetch, takeEvent } from '#server/areas/catalogue/entry.service.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { BadAnswer } from '#server/outside/json-fetch.ts';
import type { DeliveredEntry } from './delivery-answers.format.ts';
import type { Delivery } from './delivery.service.ts';
import { heldBy, isRoot, type Kinds, kindsOf, versionOf } from './fetched-space.format.ts';
import * as repository from './reconcile.repository.ts';

/** Differences between the platform and our catalogue. */
type Difference = {
  changed: DeliveredEntry[];
  /** Entries that show a changed picture. */
  showingIds: string[];
  goneIds: string[];
  token: string;
};

type Tools = { delivery: Delivery; enqueueFetch: EnqueueFetch };

const TOPIC = { publish: 'Reconciliation.Entry.publish', withdraw: 'Reconciliation.Entry.unpublish' } as const;
/** Replaces the request id in the audit log. */
const REQUEST = 'reconciliation';

/** A run that would withdraw a larger share of entries probably compares with the wrong space. */
const MOST_GONE = 0.5;

/**
 * Compares the platform's entries with ours, either changes since the last run or everything, and applies missed
 * changes like events. Idempotent.
 */
export async function reconcile(ctx: Ctx, tools: Tools, { everything }: { everything: boolean }): Promise<void> {
  const { token } = await repository.getReconciliation(ctx.db);
  await repository.beginReconciliation(ctx.db);
  try {
    const kinds = kindsOf(await tools.delivery.contentTypes());
    const difference = await compare(ctx, tools.delivery, kinds, everything ? null : token);
    const done = await take(ctx, tools, kinds, difference);
    await repository.endReconciliation(ctx.db, { ...done, token: difference.token });
    ctx.log.info(done, 'content reconciled');
  } catch (error) {
    await repository.endReconciliation(ctx.db, { error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

async function compare(ctx: Ctx, delivery: Delivery, kinds: Kinds, token: string | null): Promise<Difference> {
  const changed: DeliveredEntry[] = [];
  const listedIds: string[] = [];
  const deletedIds: string[] = [];
  const assetIds: string[] = [];
  let next = token;
  try {
    for await (const page of delivery.syncPages(token ?? undefined)) {
      const ids = page.entries.map(({ sys }) => sys.id);
      const known = await repository.findKnownEntries(ctx.db, ids);
      changed.push(...page.entries.filter((entry) => isBehind(entry, known.get(entry.sys.id), kinds)));
      listedIds.push(...ids);
      deletedIds.push(...page.deletedIds);
      assetIds.push(...page.assetIds);
      next = page.token;
    }
  } catch (error) {
    // Sync tokens expire; then compare everything.
    if (token !== null && error instanceof BadAnswer && error.response?.status === 400)
      return await compare(ctx, delivery, kinds, null);
    throw error;
  }
  if (next === null) throw new BadAnswer('no page of the sync API');
  const goneIds = token === null ? await missingAmong(ctx, listedIds) : deletedIds;
  // A full comparison lists all assets, and assets of up-to-date entries were fetched with them.
  const showingIds = token === null ? [] : await entriesShowing(delivery, assetIds);
  return { changed, showingIds, goneIds, token: next };
}

async function entriesShowing(delivery: Delivery, assetIds: string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const id of assetIds) for (const { sys } of await delivery.entriesWithAsset(id)) found.add(sys.id);
  return [...found];
}

/** True when this version is not published here, or was published by an event but never fetched. */
function isBehind(entry: DeliveredEntry, known: repository.KnownEntry | undefined, kinds: Kinds): boolean {
  if (!known) return true;
  const { publishedVersion } = entry.sys;
  if (known.status !== 'published') return publishedVersion === undefined || publishedVersion > known.version;
  if (known.fetched !== null) return known.fetched < versionOf(entry);
  return isRoot(entry, kinds) || (publishedVersion ?? 0) > known.version;
}

/** Returns entries that were fetched before and are no longer delivered. */
async function missingAmong(ctx: Ctx, listedIds: string[]): Promise<string[]> {
  const { total, missing } = await repository.findFetchedOutside(ctx.db, listedIds);
  if (missing.length > Math.max(1, total * MOST_GONE))
    throw new Error(`${missing.length} of ${total} entries no longer exist; is CONTENT_SPACE correct?`);
  return missing;
}

/** Applies the differences: contained entries first, because fetching their roots then fetches both. */
async function take(
  ctx: Ctx,
  { enqueueFetch }: Tools,
  kinds: Kinds,
  { changed, showingIds, goneIds }: Difference,
): Promise<{ published: number; withdrawn: number }> {
  const held = heldByRoots(changed, kinds);
  for (const entry of changed.toSorted((a, b) => Number(isRoot(a, kinds)) - Number(isRoot(b, kinds)))) {
    const { id, publishedVersion: version, contentType } = entry.sys;
    const event = readEvent({ sys: { id, version, contentType }, fields: entry.fields }, 'publish', undefined);
    let isEnqueued = held.has(id);
    const enqueue: EnqueueFetch = async (...fetch) => {
      const isHeld = isEnqueued;
      isEnqueued = true;
      return isHeld || (await enqueueFetch(...fetch));
    };
    await takeEvent(ctx, event, { topic: TOPIC.publish, requestId: REQUEST, enqueueFetch: enqueue });
    // The event was applied, but its fetch failed.
    if (!isEnqueued) await enqueueFetch(ctx, ctx.db, id);
  }
  const changedIds = new Set(changed.map(({ sys }) => sys.id));
  for (const id of showingIds) if (!changedIds.has(id)) await enqueueFetch(ctx, ctx.db, id);
  const known = await repository.findKnownEntries(ctx.db, goneIds);
  const shownIds = goneIds.filter((id) => known.get(id)?.status === 'published');
  for (const id of shownIds) {
    const event = readEvent({ sys: { id } }, 'withdraw', undefined);
    await takeEvent(ctx, event, { topic: TOPIC.withdraw, requestId: REQUEST, enqueueFetch });
  }
  return { published: changed.length, withdrawn: shownIds.length };
}

/** Returns the entries that are fetched together with another of these entries. */
function heldByRoots(entries: DeliveredEntry[], kinds: Kinds): Set<string> {
  const byId = new Map(entries.map((entry) => [entry.sys.id, entry]));
  const held = new Set<string>();
  const next = entries.filter((entry) => isRoot(entry, kinds));
  for (let entry = next.pop(); entry; entry = next.pop())
    for (const id of heldBy(entry, kinds)) {
      const below = byId.get(id);
      if (!below || held.has(id) || isRoot(below, kinds)) continue;
      held.add(id);
      next.push(below);
    }
  return held;
}

/** Starts a full comparison in the background. */
export async function startReconciliation(
  ctx: Ctx,
  actor: UserViewer,
  enqueue: (db: Db) => Promise<void>,
): Promise<void> {
  const { contentPlatform } = ctx.config;
  if (!contentPlatform) throw new AppError('operations.no_content_platform');
  await inTransaction(ctx.db, async (db) => {
    await enqueue(db);
    await recordAction(db, actor, { action: 'admin.reconcile-content', object: contentPlatform.space });
  });
}

export async function readReconciliation(ctx: Ctx): Promise<ReplyOf<typeof contract.readReconciliation>> {
  const { startedAt, finishedAt, published, withdrawn, error } = await repository.getReconciliation(ctx.db);
  const facts = { finishedAt: finishedAt?.toISOString() ?? null, published, withdrawn, error };
  return {
    hasPlatform: ctx.config.contentPlatform !== undefined,
    last: startedAt && { startedAt: startedAt.toISOString(), ...facts },
  };
}
