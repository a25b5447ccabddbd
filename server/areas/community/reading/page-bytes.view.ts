/** A page ends after this much text even below its limit: a post of 64 KiB may have many times as much HTML. */
const MAX_BYTES = 4 * 2 ** 20;

/** The first things of a page, up to and with the one that exceeds the byte limit. */
export function withinBytes<Thing extends { bytes: number }>(things: Thing[]): Thing[] {
  let bytes = 0;
  const end = things.findIndex((thing) => (bytes += thing.bytes) > MAX_BYTES);
  return end < 0 ? things : things.slice(0, end + 1);
}

export const bytesOf = (things: { bytes: number }[]) => things.reduce((sum, { bytes }) => sum + bytes, 0);
