import type { Change } from './markdown-marks.ts';

const QUESTIONS = ['quiz', 'typed', 'matching', 'ordering', 'gaps', 'open'] as const;
/** The blocks of the toolbar for Markdown. */
export const BLOCKS = ['callout', 'accordion', 'steps', ...QUESTIONS] as const;
/** Questions are for lessons. */
export const PAGE_BLOCKS = ['callout', 'accordion', 'steps'] as const;
export type BlockName = (typeof BLOCKS)[number];

const MENU_BLOCKS = [...PAGE_BLOCKS, 'columns', 'tabs', 'reflect', 'embed', ...QUESTIONS] as const;
/** A block that the menu of the editor inserts. */
export type MenuBlock = (typeof MENU_BLOCKS)[number];

/** The menu of a text whose toolbar has these blocks. */
export const menuOf = (blocks: readonly BlockName[]): MenuBlock[] =>
  MENU_BLOCKS.filter((name) => !isQuestion(name) || blocks.includes(name));

const isQuestion = (name: MenuBlock): name is (typeof QUESTIONS)[number] => QUESTIONS.some((one) => one === name);

/** Words of a template, in the language of the interface. */
export type TemplateWords = Record<
  'title' | 'text' | 'question' | 'right' | 'wrong' | 'rightWhy' | 'wrongWhy' | 'stepOne' | 'stepTwo',
  string
>;

/** The Markdown of a block, with words to replace. The first of them is what the author writes first. */
export function templateOf(name: MenuBlock, words: TemplateWords): { text: string; first: string } {
  switch (name) {
    case 'callout':
      return { text: `:::callout{kind=tip}\n${words.text}\n:::`, first: words.text };
    case 'accordion':
      return { text: `:::accordion[${words.title}]\n${words.text}\n:::`, first: words.title };
    case 'steps':
      return { text: `:::steps\n1. ${words.stepOne}\n2. ${words.stepTwo}\n:::`, first: words.stepOne };
    case 'quiz':
      return {
        text: `:::quiz\n${words.question}\n\n- [x] ${words.right}\n  > ${words.rightWhy}\n- [ ] ${words.wrong}\n  > ${words.wrongWhy}\n:::`,
        first: words.question,
      };
    case 'typed':
      return {
        text: `:::quiz{type=text}\n${words.question}\n\n- [x] ${words.right}\n  > ${words.rightWhy}\n- [ ] ${words.wrong}\n  > ${words.wrongWhy}\n:::`,
        first: words.question,
      };
    case 'matching':
      return {
        text: `:::quiz{type=matching}\n${words.question}\n\n- ${words.stepOne}\n  - [x] ${words.right} 1\n- ${words.stepTwo}\n  - [x] ${words.right} 2\n- [ ] ${words.wrong}\n:::`,
        first: words.question,
      };
    case 'gaps':
      return {
        text: `:::quiz{type=gaps}\n${words.text} [1] [2]\n\n1. ${words.right} 1\n2. ${words.right} 2\n:::`,
        first: words.text,
      };
    case 'open':
      return {
        text: `:::quiz{type=open words=200}\n${words.question}\n\n- [2] ${words.stepOne}\n- [1] ${words.stepTwo}\n\n> ${words.text}\n:::`,
        first: words.question,
      };
    case 'ordering':
      return {
        text: `:::quiz{type=ordering}\n${words.question}\n\n1. ${words.stepOne}\n2. ${words.stepTwo}\n:::`,
        first: words.question,
      };
    case 'columns':
      return { text: `::::columns\n${twice(`:::column\n${words.text}\n:::`)}\n::::`, first: words.text };
    case 'tabs':
      return { text: `::::tabs\n${twice(`:::tab[${words.title}]\n${words.text}\n:::`)}\n::::`, first: words.title };
    case 'reflect':
      return { text: `:::reflect\n${words.question}\n:::`, first: words.question };
    case 'embed':
      return { text: `::embed[${words.title}]`, first: words.title };
  }
}

const twice = (text: string) => `${text}\n${text}`;

/** Inserts a block after the line that contains the end of the selection, and selects its first words. */
export function insertBlock(name: BlockName, words: TemplateWords, source: string, end: number): Change {
  const next = source.indexOf('\n', end);
  const at = next === -1 ? source.length : next;
  const before = source.slice(0, at);
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const tail = source.slice(at).startsWith('\n\n') || at === source.length ? '' : '\n';
  const { text, first } = templateOf(name, words);
  const start = at + lead.length + text.indexOf(first);
  return { from: at, to: at, text: lead + text + tail, select: [start, start + first.length] };
}
