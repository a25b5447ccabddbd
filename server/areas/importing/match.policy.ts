export type NamedItem = { id: string; slug: string };
export type KnownRow = NamedItem & { key: string };

export type Match<Item, Row> = {
  /** The existing row of each item. */
  rows: Map<Item, Row>;
  /** Rows without an item. */
  left: Row[];
  /** Rows whose slug an item of another row will take, so it must be freed first. */
  blocking: Row[];
};

/** Matches items with stored rows by id, which allows slugs to change, then by slug, which allows ids to change. */
export function matchRows<Item extends NamedItem, Row extends KnownRow>(
  items: readonly Item[],
  known: readonly Row[],
  idsOf: (item: Item) => string[] = (item) => [item.id],
): Match<Item, Row> {
  const byId = new Map(known.map((row) => [row.id, row]));
  const bySlug = new Map(known.map((row) => [row.slug, row]));
  const rows = new Map<Item, Row>();
  const taken = new Set<string>();
  const take = (item: Item, row: Row | undefined) => {
    if (!row || taken.has(row.key)) return;
    rows.set(item, row);
    taken.add(row.key);
  };
  for (const item of items) for (const id of idsOf(item)) if (!rows.has(item)) take(item, byId.get(id));
  for (const item of items) if (!rows.has(item)) take(item, bySlug.get(item.slug));
  const blocking = items.flatMap((item) => {
    const holder = bySlug.get(item.slug);
    return holder && holder.key !== rows.get(item)?.key ? [holder] : [];
  });
  return { rows, left: known.filter((row) => !taken.has(row.key)), blocking };
}

/**
 * Assigns positions so that items are in the given order: reuses the items' previous positions and puts new items last.
 * Items that are already in order keep their positions.
 */
export function placeItems<Item, Row extends { position: number }>(
  items: readonly Item[],
  rows: ReadonlyMap<Item, Row>,
  known: readonly Row[],
): Map<Item, number> {
  const taken = items.flatMap((item) => rows.get(item)?.position ?? []);
  let next = Math.max(-1, ...known.map((row) => row.position)) + 1;
  const places = new Set(taken);
  while (places.size < items.length) places.add(next++);
  const sorted = [...places].sort((one, other) => one - other);
  return new Map(items.map((item, index) => [item, sorted[index] ?? next])); // as many places as items
}
