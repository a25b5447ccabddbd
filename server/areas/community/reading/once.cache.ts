/** Memoises a text per row object, so per version of a row. */
export function oncePerRow<Row extends object>(make: (row: Row) => string): (row: Row) => string {
  const texts = new WeakMap<Row, string>();
  return (row) => {
    const text = texts.get(row) ?? make(row);
    texts.set(row, text);
    return text;
  };
}

/** Memoises `make` by the key of its argument. */
export function oncePerKey<Thing, Made>(
  keyOf: (thing: Thing) => unknown,
  make: (thing: Thing) => Made,
): (thing: Thing) => Made {
  const made = new Map<unknown, Made>();
  return (thing) => {
    const key = keyOf(thing);
    const known = made.get(key);
    if (known !== undefined) return known;
    const anew = make(thing);
    made.set(key, anew);
    return anew;
  };
}
