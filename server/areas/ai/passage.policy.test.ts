import { describe, expect, it } from 'vitest';
import { MAX_QUOTE_LENGTH, passagesOf } from './passage.policy.ts';

describe('passagesOf', () => {
  it('returns blocks with their heading and the nearest anchor', () => {
    const html =
      '<p id="p-1">Begin &amp; <strong>go</strong> on.</p><h2 id="s-lists">Lists</h2><p id="p-2">Say:</p>' +
      '<ul><li>one</li><li><p id="p-3">two</p></li></ul><table><tr><td>a</td><td>b</td></tr></table>';
    const plain = { isExample: false, heading: 'Lists', section: 1 };
    expect(passagesOf(html, 'en')).toEqual([
      { text: 'Begin & go on.', heading: null, anchor: 'p-1', section: 0, isExample: false },
      { ...plain, text: 'Say:\none\ntwo', anchor: 'p-2' },
      { ...plain, text: 'a b', anchor: 'p-3' },
    ]);
  });

  it('keeps a list with its introducing line up to the quote length', () => {
    const item = `<li>${'word '.repeat(40)}</li>`;
    const passages = passagesOf(
      `<p>Nothing to do with it</p><ul><li>one</li></ul><p>These:</p><ol>${item.repeat(4)}</ol>`,
      'en',
    );
    expect(passages.map(({ text }) => text.slice(0, 12))).toEqual([
      'Nothing to d',
      'one',
      'These:\nword ',
      'word word wo',
    ]);
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
  });

  it('marks block quotations as examples', () => {
    const html = '<p>Say it so:</p><blockquote><h3>Dear reader</h3><ul><li>Come.</li></ul></blockquote><p>Or not.</p>';
    expect(passagesOf(html, 'en').map(({ text, heading, isExample }) => [text, heading, isExample])).toEqual([
      ['Say it so:', null, false],
      ['Dear reader', null, true],
      ['Come.', null, true],
      ['Or not.', null, false],
    ]);
  });

  it('splits long paragraphs between sentences', () => {
    const sentence = 'This is a sentence of some words. ';
    const passages = passagesOf(`<p id="p-1">${sentence.repeat(40)}</p>`, 'en');
    expect(passages.length).toBeGreaterThan(1);
    for (const { text } of passages) {
      expect(text.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
      expect(text.endsWith('.')).toBe(true);
    }
    expect(passages.map(({ text }) => text).join(' ')).toBe(sentence.repeat(40).trim());
  });

  it('finds nothing in an empty page', () => {
    expect(passagesOf('', 'en')).toEqual([]);
  });
});
