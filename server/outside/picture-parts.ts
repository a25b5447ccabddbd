/** The chunks that affect how a PNG looks: size, colours, transparency, pixels and orientation. */
const USED_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'iCCP', 'eXIf', 'IDAT', 'IEND']);
const ONCE_ONLY = new Set(['iCCP', 'eXIf']);

/** Removes PNG chunks that do not affect the image, because decompressing hostile ones could take gigabytes. */
export function withoutUnusedChunks(png: Buffer): Buffer {
  const kept = Buffer.alloc(png.length);
  let length = png.copy(kept, 0, 0, 8);
  const seen = new Set<string>();
  for (let at = 8; at + 8 <= png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (USED_CHUNKS.has(type) && !(ONCE_ONLY.has(type) && seen.has(type))) length += png.copy(kept, length, at, end);
    seen.add(type);
    at = end;
  }
  return kept.subarray(0, length);
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);
/** A progressive JPEG has about ten scans. An empty scan costs the decoder as much as a full one. */
const MAX_SCANS = 200;

export function hasTooManyScans(jpeg: Buffer): boolean {
  let scans = 0;
  for (let at = jpeg.indexOf(START_OF_SCAN); at !== -1 && scans <= MAX_SCANS; at = jpeg.indexOf(START_OF_SCAN, at + 2))
    scans += 1;
  return scans > MAX_SCANS;
}

/** The decoder reaches each frame by walking from the first one, so its time is quadratic: 13 s for 80 000 frames. */
const MAX_FRAMES = 5_000;

export function hasTooManyFrames(webp: Buffer): boolean {
  let frames = 0;
  for (let at = 12; at + 8 <= webp.length && frames <= MAX_FRAMES;) {
    if (webp.toString('latin1', at, at + 4) === 'ANMF') frames += 1;
    const length = webp.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return frames > MAX_FRAMES;
}
