import { z } from 'zod';
import { BadAnswer } from '#server/outside/json-fetch.ts';
import { inputMessage } from '#server/text/input-message.ts';

const Entry = z.object({
  sys: z.object({
    id: z.string(),
    revision: z.int().min(0).default(0),
    publishedVersion: z.int().min(0).optional(),
    updatedAt: z.string().optional(),
    contentType: z.object({ sys: z.object({ id: z.string() }) }),
  }),
  fields: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});
const Asset = z.object({
  sys: z.object({ id: z.string(), revision: z.int().min(0).default(0), publishedVersion: z.int().min(0).optional() }),
  fields: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});
const Type = z.object({ sys: z.object({ id: z.string() }), name: z.string().default('') });
const Locale = z.object({
  code: z.string(),
  fallbackCode: z.string().nullish(),
  default: z.boolean().optional(),
});

export type DeliveredEntry = z.output<typeof Entry>;
export type DeliveredAsset = z.output<typeof Asset>;
export type DeliveredType = z.output<typeof Type>;
export type DeliveredLocale = z.output<typeof Locale>;

function firstFault({ issues: [issue] }: z.ZodError): string {
  return issue ? inputMessage(issue, issue.path.join('.') || 'the answer') : 'unreadable';
}

function pageOf<Item>(item: z.ZodType<Item>): (answer: unknown) => { items: Item[]; total: number } {
  const schema = z.object({ items: z.array(item), total: z.int().min(0) });
  return (answer) => {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new BadAnswer(`no page of the delivery API: ${firstFault(parsed.error)}`);
  };
}

export const readEntries = pageOf(Entry);
export const readAssets = pageOf(Asset);
export const readTypes = pageOf(Type);
export const readLocales = pageOf(Locale);

const Synced = z.object({
  items: z.array(z.looseObject({ sys: z.looseObject({ type: z.string(), id: z.string() }) })),
  nextPageUrl: z.string().optional(),
  nextSyncUrl: z.string().optional(),
});

/** A page of the sync API. `token` fetches the next page; on the last page, it fetches later changes. */
export type SyncPage = {
  entries: DeliveredEntry[];
  assetIds: string[];
  deletedIds: string[];
  token: string;
  isLast: boolean;
};

export function readSyncPage(answer: unknown): SyncPage {
  const parsed = Synced.safeParse(answer);
  const entries = z.array(Entry).safeParse(parsed.data?.items.filter(({ sys }) => sys.type === 'Entry'));
  const next = parsed.data?.nextPageUrl ?? parsed.data?.nextSyncUrl;
  const token = next && URL.parse(next)?.searchParams.get('sync_token');
  const error = parsed.error ?? entries.error;
  if (!parsed.success || !entries.success || !token)
    throw new BadAnswer(`no page of the sync API: ${error ? firstFault(error) : 'no token'}`);
  const { items, nextPageUrl } = parsed.data;
  const idsOf = (type: string) => items.filter(({ sys }) => sys.type === type).map(({ sys }) => sys.id);
  const [assetIds, deletedIds] = [idsOf('Asset'), idsOf('DeletedEntry')];
  return { entries: entries.data, assetIds, deletedIds, token, isLast: nextPageUrl === undefined };
}
