import { describe, expect, it } from 'vitest';
import { expectBalanced, expectSafe } from '../../test/safe-html.ts';
import { renderMarkdown, type RenderOptions } from '../markdown.ts';
import { XSS_CORPUS } from '../xss-corpus.ts';
import { PAGE_BLOCKS } from './registry.ts';

const options: RenderOptions = {
  blocks: PAGE_BLOCKS,
  mediaLabels: { locale: 'en', transcript: 'Transcript', outside: (site) => `At ${site}.` },
};
const html = (source: string) => renderMarkdown(source, options).html.trim();
const SRC = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';

describe('an embedded video', () => {
  it('is a link in a box that names the site', () => {
    expect(html(`::embed["A" & b]{src=${SRC}}`)).toBe(
      `<figure class="embed">\n<p><a class="embed-link" href="${SRC}" rel="nofollow ugc noopener">&quot;A&quot; &amp; b</a></p>\n<figcaption>At YouTube.</figcaption>\n</figure>`,
    );
  });

  it('of another site leaves its title', () => {
    expect(html('::embed[A video]{src=https://example.org/v/1}')).toBe('<p>A video</p>');
    expect(html('::embed[A video]')).toBe('<p>A video</p>');
    expect(html('::embed{src=javascript:alert(1)}')).toBe('');
  });

  it('is safe whatever its title and address are', () => {
    for (const attack of XSS_CORPUS) {
      const line = attack.replace(/\s+/g, ' ');
      for (const source of [`::embed[${line}]{src=${SRC}}`, `::embed[A]{src="${SRC}&${line.replaceAll('"', '')}"}`]) {
        expectSafe(html(source));
        expectBalanced(html(source));
      }
    }
  });
});
