import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** An archive entry, written as given even if inconsistent. */
export type ZipEntry = {
  name: string | Buffer;
  content?: string | Uint8Array;
  /** File system mode: 0o120777 is a symbolic link. */
  unixMode?: number;
  isEncrypted?: boolean;
  /** The size declared in the archive, if not the real one. */
  claims?: number;
  method?: number;
};

/** Writes a ZIP by hand, because libraries refuse to write malicious ones. */
export function makeZip(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', unixMode = 0o100644, isEncrypted, claims, method = 8 } of entries) {
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const named = Buffer.from(name as string); // a Buffer is copied
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((isEncrypted ? 1 : 0) | 0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claims ?? bytes.length, 18);
    common.writeUInt16LE(named.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, named, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((unixMode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, named);
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** Zips a local folder. */
export async function zipOf(folder: string, prefix = ''): Promise<Buffer> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries: ZipEntry[] = [];
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    entries.push({ name: prefix + relative(folder, path).replaceAll('\\', '/'), content: await readFile(path) });
  }
  return makeZip(entries);
}

/** A ZIP as a multipart form with one file. */
export function zipForm(zip: Uint8Array, name = 'content.zip'): { headers: Record<string, string>; payload: Buffer } {
  const head = `--line\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/zip\r\n\r\n`;
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=line' },
    payload: Buffer.concat([Buffer.from(head), zip, Buffer.from('\r\n--line--\r\n')]),
  };
}
