import { tagsOf } from '#server/text/blocks/quiz-content.ts';
import {
  configure,
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  TextReader,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js';
import { AppError } from '#server/errors.ts';
import { descendants, escapeXml, MarkupError, type MarkupNode, parseXml, textIn, toXml } from './markup-tree.format.ts';
import { isQtiItem, readQtiItem } from './qti.format.ts';
import { writeQtiItem } from './qti-writer.format.ts';
import { type FileProblem, type PortableQuestion, type QuestionsRead, readDeadline } from './question.policy.ts';

configure({ useWebWorkers: false }); // workers are for browsers

const MANIFEST = 'imsmanifest.xml';
const MAX_ENTRIES = 2_000;
/** Counted while reading, because the sizes in an archive cannot be trusted. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
const TIME_MS = 10_000;
/** Files that no question shows. */
const IGNORED = /(?:^|\/)(?:\.|__MACOSX\/)|\.(?:css|xsd|xsl|dtd)$/i;
const DATE = new Date('2020-01-01T00:00:00Z');

/** Reads a package: every item that its manifest names or, without a manifest, every item in it. */
export async function readQtiPackage(bytes: Uint8Array): Promise<QuestionsRead> {
  const files = await unpack(bytes);
  const manifest = files.get(MANIFEST);
  const root = typeof manifest === 'string' ? parseManifest(manifest) : undefined;
  const found: QuestionsRead = { questions: [], problems: [] };
  const resources = root ? descendants(root, 'resource') : [];
  const tags = new Map(resources.map((resource) => [resource.attributes['href'] ?? '', keywordsOf(resource)]));
  const deadline = readDeadline();
  for (const [name, text] of files) {
    if (name === MANIFEST || IGNORED.test(name)) continue;
    const read = text === undefined ? left(name, 'file') : readXml(name, text, tags.get(name) ?? [], deadline);
    found.questions.push(...read.questions);
    found.problems.push(...read.problems);
  }
  return found;
}

function parseManifest(text: string): MarkupNode {
  try {
    return parseXml(text);
  } catch (error) {
    throw error instanceof MarkupError ? new AppError('content.questions_unreadable', {}, { cause: error }) : error;
  }
}

function readXml(name: string, text: string, tags: string[], deadline: number): QuestionsRead {
  if (performance.now() > deadline) return left(name, 'room');
  try {
    const root = parseXml(text);
    if (isQtiItem(root)) return readQtiItem(name, root, tags, deadline);
    // Tests and sections only arrange items.
    return /assessment-?test/i.test(root.name) ? { questions: [], problems: [] } : left(name, 'file');
  } catch (error) {
    if (error instanceof MarkupError) return left(name, 'syntax', error);
    throw error;
  }
}

function left(file: string, reason: FileProblem['reason'], error?: MarkupError): QuestionsRead {
  const problem = { file, line: error?.line ?? 1, question: '', reason, detail: error?.message ?? file };
  return { questions: [], problems: [problem] };
}

function keywordsOf(resource: MarkupNode): string[] {
  return descendants(resource, 'keyword').flatMap((keyword) =>
    tagsOf(textIn(descendants(keyword, 'string', 'langstring')[0] ?? keyword).replaceAll(',', ' ')),
  );
}

/** Returns the XML files by path; other files are undefined. */
async function unpack(bytes: Uint8Array): Promise<Map<string, string | undefined>> {
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { checkOverlappingEntry: true });
  const budget = { bytes: MAX_UNPACKED_BYTES, until: performance.now() + TIME_MS };
  const files = new Map<string, string | undefined>();
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (files.size >= MAX_ENTRIES) throw new AppError('content.questions_too_large');
      if (entry.directory) continue;
      if (isUnsafe(entry.filename) || entry.encrypted || files.has(entry.filename))
        throw new AppError('content.questions_unreadable');
      files.set(entry.filename, /\.xml$/i.test(entry.filename) ? await textOf(entry, budget) : undefined);
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('content.questions_unreadable', {}, { cause: error });
  } finally {
    await zip.close();
  }
  return files;
}

/** Nothing is written to disk; such a name shows that the archive was made to harm. */
function isUnsafe(name: string): boolean {
  return /^(?:[/\\]|[a-z]:)|\\|\0/i.test(name) || name.split('/').includes('..');
}

async function textOf(entry: FileEntry, budget: { bytes: number; until: number }): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  await entry.getData(
    new WritableStream<Uint8Array>({
      write(chunk) {
        budget.bytes -= chunk.length;
        if (budget.bytes < 0 || performance.now() > budget.until) throw new AppError('content.questions_too_large');
        text += decoder.decode(chunk, { stream: true });
      },
    }),
  );
  return text + decoder.decode();
}

/** Writes a package of QTI 3.0. The same questions give the same bytes. */
export async function writeQtiPackage(questions: readonly PortableQuestion[]): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { lastModDate: DATE, extendedTimestamp: false });
  const items = questions.map((question, at) => ({ question, id: `question-${String(at + 1).padStart(3, '0')}` }));
  await zip.add(MANIFEST, new TextReader(manifestOf(items)));
  for (const { question, id } of items) await zip.add(`${id}.xml`, new TextReader(writeQtiItem(question, id)));
  return await zip.close();
}

function manifestOf(items: readonly { question: PortableQuestion; id: string }[]): string {
  const resources = items.map(({ question, id }) =>
    toXml(
      'resource',
      { identifier: id, type: 'imsqti_item_xmlv3p0', href: `${id}.xml` },
      question.tags.length === 0 ? undefined : toXml('metadata', {}, lom(question.tags)),
      toXml('file', { href: `${id}.xml` }),
    ),
  );
  const manifest = toXml(
    'manifest',
    { xmlns: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1', identifier: 'questions' },
    toXml('metadata', {}, toXml('schema', {}, 'QTI Package'), toXml('schemaversion', {}, '3.0.0')),
    toXml('organizations'),
    toXml('resources', {}, ...resources),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${manifest}\n`;
}

function lom(tags: readonly string[]): string {
  const keywords = tags.map((tag) => toXml('keyword', {}, toXml('string', {}, escapeXml(tag))));
  return toXml('lom', { xmlns: 'http://ltsc.ieee.org/xsd/LOM' }, toXml('general', {}, ...keywords));
}
