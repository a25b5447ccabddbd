import { downloadDataExport, requestDataExport } from '@officium/contract/personal-data';
import { addressOf } from '@officium/contract/client';
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js';
import type { As, TestApp } from '../app.ts';

/** All files of a person's data export as one text. */
export async function exportOf(test: TestApp, as: As): Promise<string> {
  const { body } = await test.call(requestDataExport, as);
  await test.drain();
  const response = await test.app.inject({
    url: addressOf(downloadDataExport, { params: { id: body.id } }),
    headers: { cookie: `session=${as.token}` },
  });
  if (response.statusCode !== 200) throw new Error(`the export responded ${response.statusCode}: ${response.body}`);
  const reader = new ZipReader(new BlobReader(new Blob([response.rawPayload as Uint8Array<ArrayBuffer>]))); // Node's buffers have an ArrayBuffer
  const texts: string[] = [];
  for (const entry of await reader.getEntries())
    if (!entry.directory) texts.push(entry.filename, await entry.getData(new TextWriter()));
  return texts.join('\n');
}
