import { describe, expect, it } from 'vitest';
import { MAX_QUOTE_LENGTH, passagesOf, rankPassages } from './passage.policy.ts';

describe('passagesOf', () => {
  it('takes blocks with their heading and the nearest anchor', () => {
    const html =
      '<p id="p-1">Begin &amp; <strong>go</strong> on.</p><h2 id="s-lists">Lists</h2><p id="p-2">Say:</p>' +
      '<ul><li>one</li><li><p id="p-3">two</p></li></ul><table><tr><td>a</td><td>b</td></tr></table>';
    expect(passagesOf(html, 'en')).toEqual([
      { text: 'Begin & go on.', heading: null, anchor: 'p-1' },
      { text: 'Say:', heading: 'Lists', anchor: 'p-2' },
      { text: 'one', heading: 'Lists', anchor: 'p-2' },
      { text: 'two', heading: 'Lists', anchor: 'p-3' },
      { text: 'a b', heading: 'Lists', anchor: 'p-3' },
    ]);
  });

  it('cuts long paragraphs between sentences', () => {
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

describe('rankPassages', () => {
  const passage = (own: string, heading = '') => ({
    own: new Set(own.split(' ')),
    heading: new Set(heading.split(' ')),
  });
  const lesson = [passage('letter plain word', 'write'), passage('letter date', 'write'), passage('capital word')];
  const rank = (query: string) => rankPassages(new Set(query.split(' ').filter(Boolean)), lesson);

  it('puts what answers best first', () => {
    expect(rank('letter date')).toEqual([1]);
    expect(rank('plain word letter')).toEqual([0]);
    expect(rank('word')).toEqual([0, 2]);
  });
  it('finds by the heading too', () => {
    expect(rank('write date')).toEqual([1]);
  });
  it('leaves out the words that only ask', () => {
    expect(rank('explain date')).toEqual([1]);
  });
  it('answers what is asked about the lesson as a whole with its opening', () => {
    expect(rank('lesson')).toEqual([0, 1]);
    expect(rank('summaris main point')).toEqual([0, 1]);
    expect(rank('main capital')).toEqual([]);
  });
  it('finds nothing for what the lesson does not speak of', () => {
    expect(rank('capital franc')).toEqual([]);
    expect(rank('unladen swallow')).toEqual([]);
    expect(rank('')).toEqual([]);
    expect(rankPassages(new Set(['a']), [])).toEqual([]);
  });
});
