import type { Change } from './markdown-marks.ts';

export const BLOCKS = ['callout', 'accordion', 'steps', 'quiz'] as const;
/** Questions are for lessons. */
export const PAGE_BLOCKS = ['callout', 'accordion', 'steps'] as const;
export type BlockName = (typeof BLOCKS)[number];

/** Words of a template, in the language of the interface. */
export type TemplateWords = Record<
  'title' | 'text' | 'question' | 'right' | 'wrong' | 'rightWhy' | 'wrongWhy' | 'stepOne' | 'stepTwo',
  string
>;

/** The Markdown of a block, with words to replace. The first of them is what the author writes first. */
export function templateOf(name: BlockName, words: TemplateWords): { text: string; first: string } {
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
  }
}

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
