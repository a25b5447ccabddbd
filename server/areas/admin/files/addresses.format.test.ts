import { expect, it } from 'vitest';
import { makeWorkbook } from '#server/test/factories/workbooks.ts';
import { findAddresses, readTable } from './addresses.format.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = async (content: Uint8Array | string, column?: number) =>
  await findAddresses(await readTable(typeof content === 'string' ? bytes(content) : content), column);
const refusal = async (content: Uint8Array | string, column?: number) =>
  await read(content, column).then(
    () => 'was read',
    (error: unknown) => (error as { code?: string }).code, // an AppError has a code
  );
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));

const TWO = ['ada@example.gov', 'bo@example.gov'];

it.each([
  ['commas', 'Name,E-Mail\r\nAda,ada@example.gov\r\nBo,bo@example.gov\r\n'],
  ['semicolons', 'Nom;Courriel\nAda;ada@example.gov\nBo;bo@example.gov'],
  ['tabs', 'الاسم\tالبريد الإلكتروني\nAda\tada@example.gov\nBo\tBO@Example.gov'],
  ['a byte order mark', '\uFEFFメールアドレス\nada@example.gov\nbo@example.gov\n'],
  ['quotes', '"Name","Адреса е-поште"\n"Ada ""the first"", Lovelace","ada@example.gov"\n"two\nlines","bo@example.gov"'],
  ['a line of Excel', 'sep=;\nada@example.gov;x\nbo@example.gov;y'],
  ['no heading', 'ada@example.gov\nbo@example.gov'],
  ['a list as in a mail', 'Ada <ada@example.gov>; Bo <bo@example.gov>'],
  ['old line ends', 'email\rada@example.gov\rbo@example.gov'],
])('finds addresses in text with %s', async (_, text) => {
  expect(await read(text)).toMatchObject({ emails: TWO, wrong: 0, repeated: 0, rows: 2 });
});

it.each([
  ['UTF-16 with its mark', utf16('\uFEFFemail\nada@example.gov\nbo@example.gov')],
  ['UTF-16 without', utf16('email\nada@example.gov\nbo@example.gov')],
  ['Windows-1252', new Uint8Array(Buffer.from('Prénom;Email\nZoé;ada@example.gov\nBo;bo@example.gov', 'latin1'))],
])('reads %s', async (_, content) => {
  expect((await read(content)).emails).toEqual(TWO);
});

it('reports invalid rows by spreadsheet number and counts repeated addresses', async () => {
  const found = await read('email,team\nada@example.gov,a\n\nno address,b\nADA@example.gov,c\n,d\nbo@@example.gov,e');
  expect(found).toMatchObject({ emails: ['ada@example.gov'], rows: 5, repeated: 1, wrong: 3 });
  expect(found.wrongRows).toEqual([
    { row: 4, value: 'no address', reason: 'malformed' },
    { row: 6, value: '', reason: 'missing' },
    { row: 7, value: 'bo@@example.gov', reason: 'malformed' },
  ]);
});

it('uses the column with a matching heading, else the fullest, or the chosen one', async () => {
  const table = 'Manager,Email\nzed@example.gov,ada@example.gov\nyan@example.gov,bo@example.gov';
  expect((await read(table)).emails).toEqual(TWO);
  expect((await read(table, 0)).emails).toEqual(['yan@example.gov', 'zed@example.gov']);
  expect((await read('a,b\nx,ada@example.gov\ny@example.gov,bo@example.gov')).emails).toEqual(TWO);
  expect(await refusal(table, 7)).toBe('admin.file_no_addresses');
});

it('replaces characters that PostgreSQL rejects', async () => {
  const { wrongRows } = await read('email\nada@example.gov\n\u0000=cmd|\u0007@x\n');
  expect(wrongRows).toEqual([{ row: 3, value: '\uFFFD=cmd|\uFFFD@x', reason: 'malformed' }]);
});

it('reads a hundred thousand rows and a line of ten megabytes', async () => {
  expect(await read('ada@example.gov\n'.repeat(100_000))).toMatchObject({ emails: [TWO[0]], repeated: 99_999 });
  expect(await read(`ada@example.gov\n${'x'.repeat(7_000_000)}\n${',"'.repeat(500_000)}`)).toMatchObject({
    emails: [TWO[0]],
    wrong: 2,
  });
  expect(await refusal('ada@example.gov\n'.repeat(100_001))).toBe('admin.file_too_many_rows');
});

it.each([
  ['nothing', '', 'admin.file_no_addresses'],
  ['no address', 'name\nAda', 'admin.file_no_addresses'],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0xff, 0xfe]), 'admin.file_unreadable'],
  ['half an archive', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'admin.file_unreadable'],
])('refuses %s', async (_, content, code) => {
  expect(await refusal(content)).toBe(code);
});

const row = (nth: number, cells: string) => `<row r="${nth}">${cells}</row>`;

it('reads a workbook with shared and inline strings, formula results and gaps between cells', async () => {
  const sheet = `<worksheet><sheetData>
    ${row(1, '<c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c>')}
    ${row(3, '<c r="A3"><v>7</v></c><c r="C3" t="inlineStr"><is><r><t>ada@</t></r><r><t>example.gov</t></r></is></c>')}
    ${row(4, '<c r="C4" t="str"><f>A1&amp;"x"</f><v>bo@example.gov</v></c>')}
    ${row(5, '<c r="C5" t="s"><v>99</v></c><c r="A5"><v>1</v></c>')}
    </sheetData></worksheet>`;
  const found = await read(await makeWorkbook(sheet, ['Number', 'E-mail']));
  expect(found).toMatchObject({ emails: TWO, column: 2, wrongRows: [{ row: 5, value: '', reason: 'missing' }] });
});

it('resolves no external references in a workbook', async () => {
  const sheet = `<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd"><!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
    <worksheet><sheetData>${row(1, '<c r="A1" t="str"><v>ada@example.gov</v></c>')}
    ${row(2, '<c r="A2" t="str"><v>&xxe;&b;</v></c>')}</sheetData></worksheet>`;
  const { emails, wrongRows } = await read(await makeWorkbook(sheet));
  expect(emails).toEqual(['ada@example.gov']);
  expect(wrongRows).toEqual([{ row: 2, value: '&xxe;&b;', reason: 'malformed' }]);
});

it.each([
  ['elements that never end', '<a>'.repeat(2_000_000)],
  ['ends of other elements', '<a>'.repeat(200_000) + '</b>'.repeat(2_000_000)],
])('refuses a workbook with %s, without holding the process', async (_, sheet) => {
  const begin = performance.now();
  expect(await refusal(await makeWorkbook(sheet))).toBe('admin.file_unreadable');
  expect(performance.now() - begin).toBeLessThan(2_000);
});

it('stops when a workbook unpacks beyond the limit', async () => {
  const bomb = await makeWorkbook(`<worksheet><sheetData>${' '.repeat(70 * 1024 * 1024)}</sheetData></worksheet>`);
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(await refusal(bomb)).toBe('admin.file_too_large');
});
