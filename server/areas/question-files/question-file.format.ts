import type { QuestionFormat } from '@officium/contract/question-files';
import { AppError } from '#server/errors.ts';
import { readGift } from './gift.format.ts';
import { writeGift } from './gift-writer.format.ts';
import { MarkupError, type MarkupNode, parseXml } from './markup-tree.format.ts';
import { readMoodleXml } from './moodle-xml.format.ts';
import { writeMoodleXml } from './moodle-xml-writer.format.ts';
import { readQtiPackage, writeQtiPackage } from './qti-package.format.ts';
import { isQtiItem, readQtiItem } from './qti.format.ts';
import { isQuestionCsv, readQuestionCsv, writeQuestionCsv } from './question-csv.format.ts';
import type { PortableQuestion, QuestionsRead } from './question.policy.ts';

/** The content of a file, with the format recognised from it. */
export type QuestionFile = QuestionsRead & { format: QuestionFormat };

const unreadable = (cause?: unknown) => new AppError('content.questions_unreadable', {}, { cause });

/** Reads a file of questions. Its content tells the format; its name is only for problems. */
export async function readQuestionFile(name: string, bytes: Uint8Array): Promise<QuestionFile> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return { format: 'qti', ...(await readQtiPackage(bytes)) };
  const text = decode(bytes);
  if (text.includes('\0') || text.trim() === '') throw unreadable();
  if (/^\s*<(?:\?xml|[a-z!])/i.test(text)) return readXml(name, text);
  return isQuestionCsv(text)
    ? { format: 'csv', ...readQuestionCsv(name, text) }
    : { format: 'gift', ...readGift(name, text) };
}

function decode(bytes: Uint8Array): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(error);
  }
}

function readXml(name: string, text: string): QuestionFile {
  const root = parsed(text);
  if (root.name === 'quiz') return { format: 'moodle', ...readMoodleXml(name, root) };
  if (isQtiItem(root)) return { format: 'qti', ...readQtiItem(name, root) };
  throw unreadable();
}

function parsed(text: string): MarkupNode {
  try {
    return parseXml(text);
  } catch (error) {
    throw error instanceof MarkupError ? unreadable(error) : error;
  }
}

export const EXTENSIONS: Readonly<Record<QuestionFormat, string>> = {
  gift: 'gift.txt',
  moodle: 'xml',
  qti: 'zip',
  csv: 'csv',
};

/** Writes questions in a format. GIFT names those that it cannot hold in comments. */
export async function writeQuestionFile(
  format: QuestionFormat,
  questions: readonly PortableQuestion[],
): Promise<Uint8Array> {
  if (format === 'qti') return await writeQtiPackage(questions);
  if (format === 'csv') return Buffer.from(writeQuestionCsv(questions));
  if (format === 'moodle') return Buffer.from(writeMoodleXml(questions));
  const written = questions.map((question, at) => giftLosses(question, at + 1) + (writeGift(question) ?? ''));
  return Buffer.from(written.join('\n'));
}

function giftReason({ type }: PortableQuestion): string {
  if (type === 'ordering') return 'whose items are put in order';
  return type === 'gaps' ? 'which has several gaps' : 'whose answer contains ->';
}

/** Comments that name what GIFT cannot hold of a question. */
function giftLosses(question: PortableQuestion, number: number): string {
  if (writeGift(question) === undefined) return `// Left out: question ${number}, ${giftReason(question)}\n`;
  const [pairs, others] = question.type === 'matching' ? [question.pairs, question.others] : [[], []];
  const lost = [
    ...(others.length > 0 ? ['answers that match nothing'] : []),
    ...(pairs.some(({ feedback }) => feedback !== '') ? ['feedback of pairs'] : []),
    ...(question.hint === '' ? [] : ['its hint']),
    ...(question.points > 1 ? [`${question.points} points`] : []),
    ...(question.type === 'open' && question.criteria.length > 0 ? ['its criteria'] : []),
    ...(question.type === 'open' && question.words !== undefined ? [`its limit of ${question.words} words`] : []),
  ];
  return lost.length === 0 ? '' : `// Left out of question ${number}: ${lost.join(', ')}\n`;
}

/** The name of a file as it is shown: without folders and control characters. */
export function shownName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return (
    base
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .slice(0, 120) || 'file'
  );
}
