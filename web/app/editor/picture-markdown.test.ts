import { ARTICLE_PICTURES } from '@officium/contract/article-pictures';
import { POST_PICTURES } from '@officium/contract/post-pictures';
import { describe, expect, it } from 'vitest';
import { ARTICLE_PICTURE_PATH, PICTURE_PATH } from './picture-path.ts';
import { pictureMarkdown, withParagraph } from './picture-markdown.ts';

describe('pictureMarkdown', () => {
  it('writes the alternative text as plain text on one line', () => {
    expect(pictureMarkdown({ url: '/post-pictures/1', alt: ' The *new*\n[form] ' })).toBe(
      '![The \\*new\\* \\[form\\]](/post-pictures/1)',
    );
  });
});

it('the editor knows the paths of the contract', () => {
  expect([PICTURE_PATH, ARTICLE_PICTURE_PATH]).toEqual([POST_PICTURES, ARTICLE_PICTURES]);
});

describe('withParagraph', () => {
  it('separates it from the text before it', () => {
    expect(withParagraph('', 'b')).toBe('b');
    expect(withParagraph('a\n', 'b')).toBe('a\n\nb');
  });
});
