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
import { heldIds, isRoot, type Kinds, kindsOf, versionOf } from './fetched-space.format.ts';
import * as repository from './reconcile.repository.ts';

/** What the platform has and learners do not, or the other way round. */
type Difference = {
  changed: DeliveredEntry[];
  /** Entries that show a picture which has changed. */
  showingIds: string[];
  goneIds: string[];
  token: string;
};

type Tools = { delivery: Delivery; enqueueFetch: EnqueueFetch };

const TOPIC = { publish: 'Reconciliation.Entry.publish', withdraw: 'Reconciliation.Entry.unpublish' } as const;
/** In the place of a request, for the audit log. */
const REQUEST = 'reconciliation';

/** One that would withdraw more than this share compares with the wrong space. */
const MOST_GONE = 0.5;

/**
 * Compares the entries of the platform with ours and takes what was missed as if its events had come: what changed since
 * the last time, or everything. Harmless when it runs twice.
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
    // The platform forgets tokens in time; then all is compared.
    if (token !== null && error instanceof BadAnswer && error.response?.status === 400)
      return await compare(ctx, delivery, kinds, null);
    throw error;
  }
  if (next === null) throw new BadAnswer('no page of the sync API');
  const goneIds = token === null ? await missingAmong(ctx, listedIds) : deletedIds;
  // When all is compared, all assets are listed, and those of entries that are up to date were fetched with them.
  const showingIds = token === null ? [] : await entriesShowing(delivery, assetIds);
  return { changed, showingIds, goneIds, token: next };
}

async function entriesShowing(delivery: Delivery, assetIds: string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const id of assetIds) for (const { sys } of await delivery.entriesWithAsset(id)) found.add(sys.id);
  return [...found];
}

/** Whether learners lack this version of an entry, or what was told of it was never fetched. */
function isBehind(entry: DeliveredEntry, known: repository.KnownEntry | undefined, kinds: Kinds): boolean {
  if (!known) return true;
  const { publishedVersion } = entry.sys;
  if (known.status !== 'published') return publishedVersion === undefined || publishedVersion > known.version;
  if (known.fetched !== null) return known.fetched < versionOf(entry);
  return isRoot(entry, kinds) || (publishedVersion ?? 0) > known.version;
}

/** What was fetched once and is not delivered any more. */
async function missingAmong(ctx: Ctx, listedIds: string[]): Promise<string[]> {
  const { total, missing } = await repository.findFetchedOutside(ctx.db, listedIds);
  if (missing.length > Math.max(1, total * MOST_GONE))
    throw new Error(`${missing.length} of ${total} entries are not there any more; is CONTENT_SPACE the right one?`);
  return missing;
}

/** Takes the differences. What is held goes before what holds it, whose fetch then brings both. */
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
    // The entry was told of, and its fetch failed.
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

/** Of these entries, those that another of them brings when it is fetched. */
function heldByRoots(entries: DeliveredEntry[], kinds: Kinds): Set<string> {
  const byId = new Map(entries.map((entry) => [entry.sys.id, entry]));
  const held = new Set<string>();
  const next = entries.filter((entry) => isRoot(entry, kinds));
  for (let entry = next.pop(); entry; entry = next.pop())
    for (const id of heldIds(entry)) {
      const below = byId.get(id);
      if (!below || held.has(id) || isRoot(below, kinds)) continue;
      held.add(id);
      next.push(below);
    }
  return held;
}

/** Begins a comparison of everything, in the background. */
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
