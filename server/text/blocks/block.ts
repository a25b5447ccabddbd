import type { Locale } from '@officium/i18n/locales';
import type { Token } from 'markdown-it';

/** A stored recording or document. `text` is the content of captions and plain texts. */
export type ResolvedFile = { url: string; name: string; extension: string; bytes: number; text?: string | undefined };

/** Words that media add to a text, and the language of the text. */
export type MediaLabels = { locale: Locale; transcript: string; outside?: (site: string) => string };

/** Words that blocks add to a text, in the language of the text. */
export type BlockLabels = Readonly<Record<'note' | 'tip' | 'warning' | 'example' | 'reflect', string>>;

/** Words of questions; `right` and `wrong` are the options of true-or-false questions, `offline` is for saved pages. */
export type QuizLabels = Readonly<
  Record<
    | 'one'
    | 'many'
    | 'match'
    | 'choose'
    | 'order'
    | 'gaps'
    | 'gap'
    | 'hint'
    | 'right'
    | 'wrong'
    | 'answer'
    | 'check'
    | 'offline',
    string
  > & { words: (count: number) => string }
>;

/** Options that blocks need from the place where the text is shown. Resolvers of files belong here, like `resolveImage`. */
export type BlockOptions = {
  /** If they are missing, blocks show only the author's words. */
  blockLabels?: BlockLabels;
  mediaLabels?: MediaLabels;
  /** Returns a stored recording or document; undefined leaves the title of its block. */
  resolveMedia?: (src: string) => ResolvedFile | undefined;
  resolveImage?: (src: string) => string | { src: string; width?: number; height?: number } | undefined;
  quizLabels?: QuizLabels;
};

/** Characters of files that one text may show. The longest file fits once. */
export const MAX_FROM_FILES = 1024 * 1024;
/** Characters of repeated answers that one text may show: more than forty questions of the largest size. */
export const MAX_REPEATED = 2 * 1024 * 1024;

/** One use of a block in a text, as its renderer sees it. */
export type BlockView = {
  /** The `{#id}` of the author, else its number among the blocks of its name. Unique among them, not escaped. */
  id: string;
  /** Plain text, not escaped. */
  label: string;
  /** Not escaped. Attributes that the block does not declare, or with other values, are left out. */
  attributes: Readonly<Record<string, string>>;
  /** Syntax tree of the content; empty for a leaf. */
  tokens: readonly Token[];
  /** Renders a part of the content, by default all of it. The result is sanitised and its elements are balanced. */
  html(tokens?: readonly Token[]): string;
  /**
   * Counts characters that the block adds from a file; false when the text has too many, so that a short text that shows
   * a long file again and again stays a short page.
   */
  take(characters: number): boolean;
  /** The same for characters that the block repeats. */
  repeat(characters: number): boolean;
  /** Level for a heading in this place: one below the last heading before it. */
  headingLevel: number;
  options: BlockOptions;
};

export type BlockType = {
  /** A `leaf` is written `::name`; a `container` is written `:::name` and has content up to a line `:::`. */
  kind: 'leaf' | 'container';
  /** The block that must directly contain it. */
  parent?: string;
  /** False if lines that look like blocks are text inside it. */
  holdsBlocks?: false;
  /** Checks the value of each attribute. Every block also accepts `id`. */
  attributes: Readonly<Record<string, (value: string) => boolean>>;
  /**
   * Returns the HTML of the block. It is not sanitised again, so everything that the author wrote must come from `html` or
   * go through `escapeHtml`. Its text without elements is what search, the assistant and snippets read.
   */
  render(view: BlockView): string;
};
/** Blocks by name. */
export type BlockSet = ReadonlyMap<string, BlockType>;

/** A line that looks like a block and is shown as typed, or a part of a block that has no effect. */
export type BlockProblem = {
  kind: 'unknown' | 'misplaced' | 'attribute' | 'unclosed';
  line: number;
  text: string;
};
