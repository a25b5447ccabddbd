/** The names of the fields that differ, sorted, whatever the order of their keys. */
export function changedNames(one: object, other: object): string[] {
  const before = new Map(Object.entries(one));
  return Object.entries(other)
    .filter(([name, value]) => textOf(before.get(name)) !== textOf(value))
    .map(([name]) => name)
    .sort();
}

const textOf = (value: unknown) => JSON.stringify(sortKeys(value));

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
