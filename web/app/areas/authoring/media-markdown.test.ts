import { describe, expect, it } from 'vitest';
import { asParagraph, mediaMarkdown, titleOfFile } from './media-markdown.ts';

describe('mediaMarkdown', () => {
  const words = { path: 'media/a.vtt', locale: 'pt-BR' } as const;
  it.each([
    [
      { kind: 'video', path: 'media/a.mp4', title: 'An [old]  way\\', words },
      '::video[An \\[old\\] way\\\\]{src=media/a.mp4 captions-pt-BR=media/a.vtt}',
    ],
    [{ kind: 'video', path: 'media/a.mp4', title: '' }, '::video[]{src=media/a.mp4}'],
    [{ kind: 'audio', path: 'media/a.mp3', title: 'A', words }, '::audio[A]{src=media/a.mp3 transcript=media/a.vtt}'],
    [{ kind: 'file', path: 'media/a.pdf', title: 'A', words }, '::file[A]{src=media/a.pdf}'],
    [{ kind: 'picture', path: 'images/a.webp', title: 'A' }, '![A](/images/a.webp)'],
  ] as const)('%j', (use, expected) => expect(mediaMarkdown(use)).toBe(expected));
});

it.each([
  ['', 0, 'B\n\n'],
  ['a', 1, '\n\nB\n\n'],
  ['a\n', 2, '\nB\n\n'],
  ['a\n\n', 3, 'B\n\n'],
  ['a\n\nb', 3, 'B\n\n'],
  ['a\n\nb', 1, '\n\nB'],
  ['a\nb', 1, '\n\nB\n'],
])('asParagraph separates a block in %j at %i', (text, at, expected) =>
  expect(asParagraph(text, at, 'B')).toBe(expected),
);

it('titleOfFile turns a name into words', () => {
  expect(titleOfFile('how-to_archive.v2.mp4')).toBe('how to archive.v2');
});
