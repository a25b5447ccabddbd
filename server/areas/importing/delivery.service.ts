import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/config.ts';
import { BadAnswer, fetchJson } from '#server/outside/json-fetch.ts';
import {
  type DeliveredAsset,
  type DeliveredEntry,
  type DeliveredLocale,
  type DeliveredType,
  readAssets,
  readEntries,
  readLocales,
  readSyncPage,
  readTypes,
  type SyncPage,
} from './delivery-answers.format.ts';

export type ContentPlatform = NonNullable<Config['contentPlatform']>;

/** A client of the platform's delivery API, which serves published content. */
export type Delivery = {
  locales(): Promise<DeliveredLocale[]>;
  contentTypes(): Promise<DeliveredType[]>;
  /** Returns entries in all locales, without unpublished ones. */
  entriesById(ids: readonly string[]): Promise<DeliveredEntry[]>;
  entriesLinkingTo(id: string): Promise<DeliveredEntry[]>;
  entriesWithAsset(id: string): Promise<DeliveredEntry[]>;
  assetsById(ids: readonly string[]): Promise<DeliveredAsset[]>;
  /** Yields pages of changes since a token was issued; without a token, everything published. */
  syncPages(token?: string): AsyncGenerator<SyncPage, void>;
};

/** The platform limits responses to 7 MB. */
const MAX_BYTES = 8 * 1024 * 1024;
const PAGE = 100;
const MAX_WAITS = 3;
const LONGEST_WAIT_SECONDS = 5;

/**
 * Returns the seconds until the rate limit resets, if short enough to wait here. Otherwise the job is retried later.
 */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof BadAnswer) || error.response?.status !== 429) return undefined;
  const seconds = Number(error.response.headers.get('x-contentful-ratelimit-reset') ?? 1);
  return seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

/** Requests ids in parts, to limit the length of the URL. */
async function byParts<Item>(ids: readonly string[], ask: (ids: string) => Promise<Item[]>): Promise<Item[]> {
  const found: Item[] = [];
  for (let at = 0; at < ids.length; at += PAGE) found.push(...(await ask(ids.slice(at, at + PAGE).join(','))));
  return found;
}

export function openDelivery(platform: ContentPlatform, { timeoutMs = 15_000 } = {}): Delivery {
  const base = `${platform.host}/spaces/${platform.space}/environments/${platform.environment}`;

  async function ask(path: string, query: Record<string, string>): Promise<unknown> {
    const url = new URL(`${base}/${path}?${new URLSearchParams(query).toString()}`);
    for (let waits = 0; ; waits += 1) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        return await fetchJson(url, { signal, maxBytes: MAX_BYTES, token: platform.token });
      } catch (error) {
        const seconds = waitOf(error);
        if (seconds === undefined || waits >= MAX_WAITS) throw error;
        await sleep(seconds * 1000);
      }
    }
  }

  async function all<Item>(
    path: string,
    read: (answer: unknown) => { items: Item[]; total: number },
    query: Record<string, string> = {},
  ): Promise<Item[]> {
    const found: Item[] = [];
    for (let skip = 0; ; skip += PAGE) {
      const page = read(await ask(path, { ...query, limit: String(PAGE), skip: String(skip) }));
      found.push(...page.items);
      if (skip + PAGE >= page.total) return found;
    }
  }

  // Links are resolved here level by level, because one response with all linked entries could exceed the platform's
  // limit.
  const entries = async (query: Record<string, string>) =>
    await all('entries', readEntries, { ...query, locale: '*', include: '0', order: 'sys.id' });

  return {
    locales: async () => readLocales(await ask('locales', {})).items,
    contentTypes: async () => await all('content_types', readTypes),
    entriesById: async (ids) => await byParts(ids, async (part) => await entries({ 'sys.id[in]': part })),
    assetsById: async (ids) =>
      await byParts(ids, async (part) => await all('assets', readAssets, { 'sys.id[in]': part, locale: '*' })),
    entriesLinkingTo: async (id) => await entries({ links_to_entry: id }),
    entriesWithAsset: async (id) => await entries({ links_to_asset: id }),
    async *syncPages(token) {
      let query: Record<string, string> = token ? { sync_token: token } : { initial: 'true', limit: String(PAGE) };
      for (;;) {
        const page = readSyncPage(await ask('sync', query));
        yield page;
        if (page.isLast) return;
        query = { sync_token: page.token };
      }
    },
  };
}
