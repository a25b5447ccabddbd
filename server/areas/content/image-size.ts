export type ImageSize = { width: number; height: number };

/** The size in pixels of a PNG, GIF, JPEG or WebP, from its header; undefined when that cannot be read. */
export function imageSize(bytes: Uint8Array, mime: string): ImageSize | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = READERS[mime]?.(data);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    return undefined; // cut short
  }
}

const READERS: Record<string, (data: Buffer) => ImageSize | undefined> = {
  'image/png': (data) => ({ width: data.readUInt32BE(16), height: data.readUInt32BE(20) }),
  'image/gif': (data) => ({ width: data.readUInt16LE(6), height: data.readUInt16LE(8) }),
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

function readJpeg(data: Buffer): ImageSize | undefined {
  for (let at = 2; at < data.length;) {
    const marker = data.readUInt16BE(at);
    // A start of frame; C4, C8 and CC in its range are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    if (marker < 0xff00) return undefined;
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebp(data: Buffer): ImageSize | undefined {
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
