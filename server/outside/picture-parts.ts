/** The chunks that affect how a PNG looks: size, colours, transparency, pixels and orientation. */
const DRAWN_FROM = new Set(['IHDR', 'PLTE', 'tRNS', 'iCCP', 'eXIf', 'IDAT', 'IEND']);
const ONCE = new Set(['iCCP', 'eXIf']);

/** A PNG without texts and whatever else its decoder would unpack for nothing, fifty megabytes of each of a hundred. */
export function onlyDrawn(png: Buffer): Buffer {
  const kept = Buffer.alloc(png.length);
  let length = png.copy(kept, 0, 0, 8);
  const seen = new Set<string>();
  for (let at = 8; at + 8 <= png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (DRAWN_FROM.has(type) && !(ONCE.has(type) && seen.has(type))) length += png.copy(kept, length, at, end);
    seen.add(type);
    at = end;
  }
  return kept.subarray(0, length);
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);
/** A JPEG that is drawn step by step has some ten scans. Each of many thousands of empty ones costs as much as a full one. */
const MAX_SCANS = 200;

export function hasTooManyScans(jpeg: Buffer): boolean {
  let scans = 0;
  for (let at = jpeg.indexOf(START_OF_SCAN); at !== -1 && scans <= MAX_SCANS; at = jpeg.indexOf(START_OF_SCAN, at + 2))
    scans += 1;
  return scans > MAX_SCANS;
}

/** The decoder walks to each frame of an animation from the first one: 80 000 take it 13 seconds. */
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
