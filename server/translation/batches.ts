/** Limits of one request, and how many requests may run at once. */
export type BatchSize = { characters: number; texts: number; parallel: number };

/** Splits a list into batches, in order. A text over the limit becomes a batch of its own. */
export function batchesOf(
  texts: readonly string[],
  { characters, texts: most }: Omit<BatchSize, 'parallel'>,
): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === most || length + text.length > characters)) {
      batches.push(batch);
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/** Maps items with limited concurrency and returns results in order. Rejects on the first failure. */
export async function inParallel<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!); // within the list
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  return results;
}
