import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { textLabels } from '#server/text/labels.ts';
import { renderPage } from '#server/text/page.ts';
import { XSS_CORPUS } from '#server/text/xss-corpus.ts';

/** Every place of a block where an author can write. */
const PLACES: Record<string, (words: string) => string> = {
  text: (words) => words,
  callout: (words) => `:::callout[${words}]{kind=tip}\n${words}\n:::`,
  accordion: (words) => `:::accordion[${words}]{#${words} open}\n${words}\n:::`,
  steps: (words) => `:::steps\n1. ${words}\n2. ${words}\n:::`,
  reflect: (words) => `:::reflect[${words}]\n${words}\n:::`,
  columns: (words) => `::::columns\n:::column\n${words}\n:::\n:::column\n${words}\n:::\n::::`,
  tabs: (words) => `::::tabs\n:::tab[${words}]\n${words}\n:::\n::::`,
  video: (words) => `::video[${words}]{src="${words}" poster="${words}" captions-en=media/a.vtt}`,
  'video of a file': (words) => `::video[${words}]{src=media/a.mp4 poster="${words}" captions-en=media/a.vtt}`,
  audio: (words) => `::audio[${words}]{src=media/a.mp3 transcript=media/a.txt}`,
  file: (words) => `::file[${words}]{src=media/a.pdf}`,
  embed: (words) => `::embed[${words}]{src="${words}" url="${words}"}`,
  quiz: (words) =>
    `:::quiz[${words}]{#${words} answer="${words}" hint="${words.replaceAll('\n', ' ')}"}\n${words}\n\n- [x] ${words}\n  > ${words}\n- [ ] ${words}\n\n> ${words}\n:::`,
  'quiz to match': (words) =>
    `:::quiz{type=matching}\n${words}\n\n- ${words}\n  - [x] ${words}\n  > ${words}\n- [ ] ${words}\n\n> ${words}\n:::`,
  'quiz with gaps': (words) => `:::quiz{type=gaps}\n${words} [1]\n\n1. ${words}\n   > ${words}\n\n> ${words}\n:::`,
  'open quiz': (words) =>
    `:::quiz{type=open words="${words.replaceAll('\n', ' ')}"}\n${words}\n\n- [2] ${words}\n\n> ${words}\n:::`,
  'quiz to order': (words) => `:::quiz{type=ordering}\n${words}\n\n1. ${words}\n   > ${words}\n2. b\n\n> ${words}\n:::`,
};
export const blockExamples: string[] = Object.keys(PLACES);

/** Renders the example with each hostile text, also as the name and the content of its files. */
export function hostileBlocks(name: string): string[] {
  return XSS_CORPUS.map((words) => {
    const options = {
      ...textLabels('en'),
      blocks: LESSON_BLOCKS,
      resolveMedia: (src: string) => {
        const extension = /\.(\w+)$/.exec(src)?.[1] ?? 'mp4';
        const text = extension === 'vtt' ? `WEBVTT\n\n00:00.000 --> 00:01.000\n${words}\n` : words;
        return { url: '/content-assets/a', name: words, extension, bytes: 5, text };
      },
      resolveImage: (src: string) => `/content-assets/${src}`,
    };
    return renderPage(PLACES[name]?.(words) ?? '', options).html;
  });
}
