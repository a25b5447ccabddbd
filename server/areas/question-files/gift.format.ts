import { tagsOf } from '#server/text/blocks/quiz-content.ts';
import { readGiftAnswers } from './gift-answers.format.ts';
import { type Note, QuestionCollector, type QuestionsRead } from './question.policy.ts';
import { type TextFormat, toLine, toMarkdown } from './text-format.format.ts';

/** A question of the file, with its escapes as written. */
type Written = { line: number; text: string; tags: string[] };

/** More than the tags of a question can take. The rest of a longer comment is not read. */
const MAX_COMMENT = 8 * 1024;
/** A tag without an end takes the rest of the comment, so that it is not searched again from each `[tag:`. */
const TAG = /\[tag:((?:\\.|[^\]\\]|\\$)*)(\]|$)/g;

/** Reads a GIFT file. Each question is read on its own, so a broken one does not hide the others. */
export function readGift(file: string, source: string): QuestionsRead {
  const collector = new QuestionCollector(file);
  for (const { line, text, tags } of splitGift(source)) {
    const size = text.length;
    const { title, rest } = titleOf(text);
    const name = title ?? rest.slice(0, 60).replace(/\{[^]*$/, '');
    collector.take({ line, name, size }, (note) => readOne(rest, { name: title ?? '', tags }, note));
  }
  return { questions: collector.questions, problems: collector.problems };
}

/** Empty lines separate questions. Lines of comments may hold tags of the next question. */
function splitGift(source: string): Written[] {
  const found: Written[] = [];
  let current: Written | undefined;
  let category: string[] = [];
  let tags: string[] = [];
  for (const [at, line] of source.replace(/\r\n?/g, '\n').split('\n').entries()) {
    if (/^\s*\/\//.test(line)) {
      tags.push(...tagsInComment(line));
      continue;
    }
    const path = /^\s*\$CATEGORY:\s*(.*)$/.exec(line)?.[1];
    if (path !== undefined) {
      category = tagsOf(path.split('/').at(-1)?.replaceAll(',', ' ') ?? '').filter((name) => !/^\$.*\$$/.test(name));
      current = undefined;
      continue;
    }
    if (line.trim() === '') {
      current = undefined;
      continue;
    }
    // A line that begins with a title begins a question, also without an empty line before it.
    if (!current || /^\s*::/.test(line)) {
      current = { line: at + 1, text: '', tags: [...new Set([...category, ...tags])] };
      tags = [];
      found.push(current);
    }
    current.text += `${line}\n`;
  }
  return found;
}

function tagsInComment(line: string): string[] {
  const found = [...line.slice(0, MAX_COMMENT).matchAll(TAG)].filter(([, , end]) => end === ']');
  return found.flatMap(([, tag = '']) => tagsOf(tag.replace(/\\([\]\\])/g, '$1')));
}

/** Takes `::title::` off the beginning. */
function titleOf(text: string): { title: string | undefined; rest: string } {
  const match = /^\s*::((?:\\.|[^\\])*?)::/.exec(text);
  if (!match) return { title: undefined, rest: text };
  return {
    title: unescape(match[1] ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
    rest: text.slice(match[0].length),
  };
}

function readOne(written: string, { name, tags }: { name: string; tags: string[] }, note: Note) {
  const { before, inside, after } = bracesOf(written);
  if (inside === undefined) return void (before === undefined ? note('syntax') : note('type', 'description'));
  const { format, text: opening } = formatOf(before ?? '', 'moodle');
  const isMissingWord = after.trim() !== '';
  const text = toMarkdown(
    unescape(isMissingWord ? `${opening.trimEnd()} _____ ${after.trim()}` : opening),
    format,
    note,
  );
  const read = (part: string, isLine: boolean) => {
    const own = formatOf(part, format);
    return (isLine ? toLine : toMarkdown)(unescape(own.text), own.format, note);
  };
  const answers = readGiftAnswers(inside, read, note);
  if (!answers) return undefined;
  const { feedback, ...key } = answers;
  return { name, tags, points: 1, hint: '', text, feedback, ...key };
}

/** Splits a question around its answers. `before` is undefined if a brace has no partner. */
function bracesOf(text: string): { before: string | undefined; inside: string | undefined; after: string } {
  const braces = [...text.matchAll(/\\.|[{}]/gs)].filter(([found]) => found.length === 1);
  const [open, close, ...others] = braces;
  if (!open) return { before: text, inside: undefined, after: '' };
  if (open[0] !== '{' || close?.[0] !== '}' || others.length > 0)
    return { before: undefined, inside: undefined, after: '' };
  return {
    before: text.slice(0, open.index),
    inside: text.slice(open.index + 1, close.index),
    after: text.slice(close.index + 1),
  };
}

function formatOf(text: string, otherwise: TextFormat): { format: TextFormat; text: string } {
  const match = /^\s*\[(html|markdown|plain|moodle)\]/.exec(text);
  return match ? { format: match[1] as TextFormat, text: text.slice(match[0].length) } : { format: otherwise, text }; // the alternatives
}

/** `\n` is a line end; any other escaped character stands for itself. */
function unescape(text: string): string {
  return text.replace(/\\([~=#{}:n\\])/g, (_, character: string) => (character === 'n' ? '\n' : character)).trim();
}
