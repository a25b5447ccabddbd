import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

it('returns the text of HTML on one line, without mentions', () => {
  const html =
    '<p>Fish &amp; <b>chips</b>, {{0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57}} says</p>\n<ul><li>&lt;here&gt;</li></ul>';
  expect(plainText(html, 100)).toBe('Fish & chips, says <here>');
});

it('cuts at a word and adds an ellipsis', () => {
  expect(plainText('<p>one two three</p>', 9)).toBe('one two…');
  expect(plainText(`<p>${'x'.repeat(20)}</p>`, 10)).toBe(`${'x'.repeat(10 / 2)}…`);
  expect(plainText('<p>all of it</p>', 9)).toBe('all of it');
});
