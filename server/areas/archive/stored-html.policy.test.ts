import { expect, it } from 'vitest';
import { textLabels } from '#server/text/labels.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { LESSON_BLOCKS } from '#server/text/blocks/registry.ts';
import { isStorableHtml } from './stored-html.policy.ts';

const file = (path: string) => ({
  url: `/content-assets/${path}`,
  name: path,
  extension: path.replace(/^.*\./, ''),
  bytes: 10,
  text: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello',
});

it.each([
  ':::quiz{#sum}\nWhat is **2 + 2**?\n\n- [ ] three\n- [x] four\n:::',
  ':::quiz{type=number answer=4 tolerance=0.5}\nHow many?\n:::',
  ':::callout[Mind this]{kind=warning}\nText\n:::\n\n:::accordion[More]\nText\n:::\n\n:::steps\n1. One\n:::',
  '::video[Film]{src=media/a.mp4 captions-en=media/a.vtt}\n\n::audio[Talk]{src=media/a.mp3}\n\n::file[Form]{src=media/a.pdf}',
  '| a |\n|---|\n| b |\n\n- [x] done\n\n$$x$$\n\n<aside>Note</aside>\n\n<details open><summary>More</summary>x</details>',
])('rendering makes HTML that an archive may bring back: %j', (source) => {
  const { html } = renderMarkdown(source, {
    blocks: LESSON_BLOCKS,
    headingAnchors: true,
    resolveMedia: file,
    ...textLabels('en'),
  });
  expect(html).not.toBe('');
  expect([html, isStorableHtml(html)]).toEqual([html, true]);
});
