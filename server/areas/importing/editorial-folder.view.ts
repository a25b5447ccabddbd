import { hasPage, partsOf } from '#server/areas/catalogue/editorial.policy.ts';
import type { Schedule } from './event-schedule.policy.ts';
import { type ContentFile, EDITORIAL_LISTS, type FolderEditorial } from './folder.format.ts';

const PRIVATE = { can_view: 'private', can_join: 'private' } as const;

/** The questions, solution articles, hubs, carousels, pictures and events of `content.yaml`, one after the other. */
export function toEditorials(file: ContentFile): FolderEditorial[] {
  return EDITORIAL_LISTS.flatMap(([kind, name]) =>
    file[name].map((given): FolderEditorial => {
      const item: Partial<FolderEditorial> & { slug: string } = given;
      return {
        kind,
        id: item.id ?? item.slug,
        slug: item.slug,
        title: given.title,
        ...(item.summary ? { summary: item.summary } : {}),
        ...(item.cover === undefined ? {} : { cover: item.cover }),
        ...(item.coverAlt ? { coverAlt: item.coverAlt } : {}),
        humanTranslation: item.humanTranslation ?? true,
        scopes: item.scopes ?? PRIVATE,
        items: item.items ?? [],
        parts: partsOf(kind, given),
        ...(kind === 'event' ? { schedule: scheduleOf(given) } : {}),
      };
    }),
  );
}

function scheduleOf(given: object): Schedule {
  const { starts, ends, timeZone, recurrence, place, link, capacity, recording, community, course } = given as Schedule; // an event has these fields
  return { starts, ends, timeZone, recurrence, place, link, capacity, recording, community, course };
}

type Named = { slug: string; id: string };

/** The lists of `content.yaml`, without what a kind does not have. */
export function writeEditorials(
  editorials: readonly FolderEditorial[],
  plain: (item: Named) => Record<string, unknown>,
): Record<string, unknown[]> {
  return Object.fromEntries(
    EDITORIAL_LISTS.flatMap(([kind, name]) => {
      const own = editorials.filter((editorial) => editorial.kind === kind);
      if (own.length === 0) return [];
      return [[name, own.map((editorial) => plain(fieldsOf(editorial)))]];
    }),
  );
}

/** Carousels and pictures have no scopes, pictures and events no links. */
function fieldsOf({ kind, parts, scopes, items, humanTranslation, schedule, ...item }: FolderEditorial): Named {
  return {
    ...item,
    ...parts,
    ...(hasPage(kind) ? { scopes, humanTranslation } : {}),
    ...(kind === 'picture' || kind === 'event' ? {} : { items }),
    ...Object.fromEntries(Object.entries(schedule ?? {}).filter(([, value]) => value !== null)),
  };
}
