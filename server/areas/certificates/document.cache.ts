const MAX_BYTES = 8 * 1024 * 1024;

/** Returns the document of a key, rendered if needed. */
export type KeptDocuments = (key: string, render: () => Promise<Buffer>) => Promise<Buffer>;

/** Caches the most recently used documents, together at most `maxBytes`; concurrent requests share one rendering. */
export function keepDocuments(maxBytes = MAX_BYTES): KeptDocuments {
  const kept = new Map<string, Buffer>();
  const rendering = new Map<string, Promise<Buffer>>();
  let bytes = 0;
  const keep = (key: string, document: Buffer) => {
    kept.set(key, document);
    bytes += document.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= length;
    }
    return document;
  };
  return async (key, render) => {
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known); // reinserted as the newest
      return known;
    }
    const under =
      rendering.get(key) ??
      render()
        .then((document) => keep(key, document))
        .finally(() => rendering.delete(key));
    rendering.set(key, under);
    return await under;
  };
}
