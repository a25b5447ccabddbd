import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

const WORKBOOK = `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="rId1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;

/** A workbook with one sheet of the given XML; `shared` holds the strings that cells reference by index. */
export async function makeWorkbook(sheet: string, shared: readonly string[] = []): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  await zip.add('xl/workbook.xml', new TextReader(WORKBOOK));
  await zip.add('xl/_rels/workbook.xml.rels', new TextReader(RELATIONS));
  const strings = shared.map((text) => `<si><t>${text}</t></si>`).join('');
  await zip.add('xl/sharedStrings.xml', new TextReader(`<sst>${strings}</sst>`));
  await zip.add('xl/worksheets/sheet1.xml', new TextReader(sheet));
  return await zip.close();
}
