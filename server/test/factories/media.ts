import { Uint8ArrayWriter, TextReader, ZipWriter } from '@zip.js/zip.js';

const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};
const ftyp = (brand: string) => box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}mp42`, 'latin1'));

async function zipOf(entries: Record<string, string>): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  for (const [name, text] of Object.entries(entries)) await zip.add(name, new TextReader(text), { level: 0 });
  return Buffer.from(await zip.close());
}

const openXml = async (main: string, type: string, more: Record<string, string> = {}) =>
  await zipOf({
    '[Content_Types].xml': `<Types><Override PartName="/${main}" ContentType="${type}"/></Types>`,
    [main]: '<a/>',
    ...more,
  });
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const links = (kind: string, target: string) => ({
  'word/_rels/settings.xml.rels': `<Relationships><Relationship Id="r" Type="${LINKS}/${kind}" Target="${target}" TargetMode="External"/></Relationships>`,
});
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** Files that browsers of authors send, as small as their formats allow. */
export const MEDIA_FILES = {
  'intro.mp4': Buffer.concat([ftyp('isom'), box('mdat', Buffer.alloc(5000, 7))]),
  'intro.webm': Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    Buffer.alloc(64),
  ]),
  'talk.m4a': Buffer.concat([ftyp('M4A '), box('mdat', Buffer.alloc(100))]),
  'talk.mp3': Buffer.concat([
    Buffer.from('fffb9064', 'hex'),
    Buffer.alloc(414),
    Buffer.from('fffb9064', 'hex'),
    Buffer.alloc(414),
  ]),
  'talk.ogg': Buffer.concat([
    Buffer.from('4f67675300020000000000000000', 'hex'),
    Buffer.alloc(14, 1),
    Buffer.from('\x01vorbis', 'latin1'),
    Buffer.alloc(30),
  ]),
  'talk.wav': Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'), Buffer.alloc(32)]),
  'form.pdf': Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n'),
  'letter.docx': await openXml('word/document.xml', DOCX),
  'table.xlsx': await openXml(
    'xl/workbook.xml',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  ),
  'slides.pptx': await openXml(
    'ppt/presentation.xml',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
  ),
  'letter.odt': await zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' }),
  'table.ods': await zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<a/>' }),
  'slides.odp': await zipOf({ mimetype: 'application/vnd.oasis.opendocument.presentation', 'content.xml': '<a/>' }),
  'figures.csv': Buffer.from('year;cases\n2025;7\n'),
  'notes.txt': Buffer.from('Bring your badge – and a pen.\n'),
  'intro.en.vtt': Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nWelcome to the archive.\n'),
} satisfies Record<string, Buffer>;

/** Word notes the template in every document that was made from one. */
export const OWN_TEMPLATE = await openXml(
  'word/document.xml',
  DOCX,
  links('attachedTemplate', String.raw`file:///C:\Users\ana\Letter.dotm`),
);

/** Files that must not be accepted, by what is wrong with them. */
export const REFUSED_FILES: Readonly<Record<string, { name: string; content: Buffer }>> = {
  'a page': { name: 'form.pdf', content: Buffer.from('<!doctype html><script>alert(1)</script>') },
  'a page after a comment': { name: 'notes.txt', content: Buffer.from('<!-- a -->\n<html><body>') },
  'a fragment of a page': { name: 'notes.txt', content: Buffer.from('  <p onclick="alert(1)">a</p>') },
  'a drawing': { name: 'a.txt', content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>') },
  XML: { name: 'a.csv', content: Buffer.from('<?xml version="1.0"?><a/>') },
  'a script by its name': { name: 'a.js', content: Buffer.from('alert(1)') },
  'a program': { name: 'a.pdf', content: Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(200)]) },
  'a ZIP': { name: 'a.docx', content: await zipOf({ 'a.txt': 'a' }) },
  'a document of another kind': {
    name: 'a.odt',
    content: await zipOf({ mimetype: 'application/epub+zip', 'content.xml': '<a/>' }),
  },
  'a document declared with macros': {
    name: 'a.docx',
    content: await openXml('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'),
  },
  'a document that contains macros': {
    name: 'a.docx',
    content: await openXml('word/document.xml', DOCX, { 'word/vbaProject.bin': 'a' }),
  },
  'a text document with scripts': {
    name: 'a.odt',
    content: await zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'Basic/Standard/Module1.xml': '<a/>' }),
  },
  'a document whose declaration of macros is escaped': {
    name: 'a.docx',
    content: await openXml('word/document.xml', 'application/vnd.ms-word.document.macro&#69;nabled.main+xml'),
  },
  'a document with macros under another name': {
    name: 'a.docx',
    content: await zipOf({
      '[Content_Types].xml': `<Types><Default Extension="dat" ContentType="application/vnd.ms-office.vba&#80;roject"/><Override PartName="/word/document.xml" ContentType="${DOCX}"/></Types>`,
      'word/document.xml': '<a/>',
      'word/a.dat': 'a',
    }),
  },
  'a document with two lists of types': {
    name: 'a.docx',
    content: await openXml('word/document.xml', DOCX, { '[content_types].XML': '<Types/>' }),
  },
  'a document whose list of types defines entities': {
    name: 'a.docx',
    content: await zipOf({
      '[Content_Types].xml': `<!DOCTYPE a [<!ENTITY e "E">]><Types><Override PartName="/word/document.xml" ContentType="${DOCX}"/></Types>`,
      'word/document.xml': '<a/>',
    }),
  },
  'a document with a template elsewhere': {
    name: 'a.docx',
    content: await openXml('word/document.xml', DOCX, links('attachedTemplate', 'https://example.org/a.dotm')),
  },
  'a document with a template on another computer': {
    name: 'a.docx',
    content: await openXml('word/document.xml', DOCX, links('attached&#84;emplate', 'file://///example.org/a.dotm')),
  },
  'a document that loads an object from elsewhere': {
    name: 'a.docx',
    content: await openXml('word/document.xml', DOCX, links('oleObject', 'https://example.org/a')),
  },
  'a document with an embedded object': {
    name: 'a.docx',
    content: await openXml('word/document.xml', DOCX, { 'word/embeddings/oleObject1.bin': 'MZ' }),
  },
  'a text document with scripts under another spelling': {
    name: 'a.odt',
    content: await zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', './Basic//Module1.xml': '<a/>' }),
  },
  'an archive that says it is a film': {
    name: 'a.odt',
    content: await zipOf({ mimetype: 'video/mp4', a: 'a' }),
  },
  'an archive that says it is captions': {
    name: 'a.odt',
    content: await zipOf({ mimetype: 'text/vtt', a: 'a' }),
  },
  'a page after a long comment': {
    name: 'notes.txt',
    content: Buffer.from(`<!--${'x'.repeat(1100)}--><script>alert(1)</script>`),
  },
  'a page after much white space': { name: 'notes.txt', content: Buffer.from(`\ufeff${' \n'.repeat(50_000)}<html>`) },
  'a damaged document': { name: 'a.docx', content: (await openXml('word/document.xml', DOCX)).subarray(0, 150) },
  'text in another encoding': { name: 'a.csv', content: Buffer.from('caf\xe9;1\n', 'latin1') },
  'text with control characters': { name: 'a.txt', content: Buffer.from('a\0b') },
  'captions in another encoding': { name: 'a.vtt', content: Buffer.from('WEBVTT\n\ncaf\xe9', 'latin1') },
  'captions without their mark': { name: 'a.vtt', content: Buffer.from('00:00.000 --> 00:02.000\nHello') },
  'a picture': {
    name: 'a.mp4',
    content: Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  },
  'a film of another format': { name: 'a.mp4', content: Buffer.concat([ftyp('qt  '), Buffer.alloc(100)]) },
  nothing: { name: 'a.txt', content: Buffer.alloc(0) },
};

/** A file as a multipart form. */
export function fileForm(name: string, content: Buffer): { headers: Record<string, string>; payload: Buffer } {
  const head = `--line\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=line' },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--line--\r\n')]),
  };
}
