import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#server/text/markdown.ts';
import { picturesIn, pictureOf, samePicturesAs } from './picture.policy.ts';

const ID = '0b7a6f0e-3c86-4f0c-9c62-9a2f6a3a1e55';
const SRC = `/post-pictures/${ID}`;
const render = (text: string) =>
  renderMarkdown(text, { resolveImage: (src) => (pictureOf(src) ? { src, width: 6, height: 4 } : undefined) }).html;

describe('pictureOf', () => {
  it('knows whole addresses of uploaded pictures only', () => {
    expect(pictureOf(SRC)).toBe(ID);
    for (const other of [`${SRC}?x`, `//host${SRC}`, `https://host${SRC}`, '/post-pictures/1', '/content-assets/1'])
      expect(pictureOf(other)).toBeUndefined();
  });
});

describe('picturesIn', () => {
  it('finds pictures that are shown, each once, and no mere mention of one', () => {
    expect(picturesIn(render(`![a](${SRC}) ![b](${SRC}) \`${SRC}\` [c](${SRC})`))).toEqual([ID]);
    expect(picturesIn(render(`\`<img src="${SRC}">\` [c](${SRC})`))).toEqual([]);
    expect(picturesIn(null)).toEqual([]);
  });
});

describe('samePicturesAs', () => {
  it('shows in a translation what the original shows, and nothing else', () => {
    const original = render(`One ![a](${SRC})`);
    const other = SRC.replace('0b7a', '0b7b');
    const { html } = renderMarkdown(`Un ![b](${SRC}) ![c](${other})`, samePicturesAs(original));
    expect(html).toBe(`<p>Un <img src="${SRC}" alt="b" width="6" height="4" loading="lazy"> c</p>\n`);
    expect(samePicturesAs('<p>One</p>')).toBeUndefined();
  });
});
