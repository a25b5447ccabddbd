import { describe, expect, it } from 'vitest';
import { misspelt, weighWords } from './job-task-words.policy.ts';

const text = (spellings: string, known: Record<string, number>, position = 1) =>
  spellings.split(' ').map((spelling) => ({ position, word: spelling, spelling, weight: known[spelling] ?? null }));
const KNOWN = { appoint: 6, heads: 5, assign: 4, duties: 3 };

describe('misspelt', () => {
  it('returns the unknown words of an otherwise known text', () => {
    expect(misspelt(text('appoint heads asign duties', KNOWN))).toEqual(['asign']);
  });
  it('ignores short words', () => {
    expect(misspelt(text('appoint heads asgn duties', KNOWN))).toEqual([]);
  });
  it('ignores a text with mostly or many unknown words', () => {
    expect(misspelt(text('nombrar jefes duties', KNOWN))).toEqual([]);
    expect(misspelt(text('appoint heads assign duties aaaaa bbbbb ccccc', KNOWN))).toHaveLength(3);
    expect(misspelt(text('appoint heads assign duties aaaaa bbbbb ccccc ddddd', KNOWN))).toEqual([]);
  });
  it('checks each text separately', () => {
    const both = [...text('appoint heads asign', KNOWN), ...text('nombrar jefes', KNOWN, 2)];
    expect(misspelt(both)).toEqual(['asign']);
  });
});

describe('weighWords', () => {
  it('marks the first word of each text', () => {
    const both = [...text('assign duties', KNOWN), ...text('appoint heads', KNOWN, 2)];
    expect(weighWords(both, []).map(({ position, word, is_first }) => [position, word, is_first])).toEqual([
      [1, 'assign', true],
      [1, 'duties', false],
      [2, 'appoint', true],
      [2, 'heads', false],
    ]);
  });
  it('replaces a misspelt word with the similar one, weighted by similarity', () => {
    const like = { given: 'asign', word: 'assign', weight: 4, likeness: 0.75 };
    expect(weighWords(text('asign duties', KNOWN), [like])).toEqual([
      { position: 1, word: 'assign', weight: 3, is_first: true, is_sought: true },
      { position: 1, word: 'duties', weight: 3, is_first: false, is_sought: true },
    ]);
    expect(weighWords(text('assign asign', KNOWN), [like])).toEqual([
      { position: 1, word: 'assign', weight: 4, is_first: true, is_sought: true },
    ]);
  });
  it('gives unknown words the highest weight, also those with a weak similarity', () => {
    const like = { given: 'asign', word: 'design', weight: 4, likeness: 0.49 };
    expect(weighWords(text('asign', {}), [like])).toEqual([
      { position: 1, word: 'asign', weight: Math.log(20_000), is_first: true, is_sought: true },
    ]);
  });
  it('skips common words that occur in too many statements', () => {
    const weights = { rare: 9, tenth: Math.log(10), fifth: Math.log(5), third: Math.log(3), half: Math.log(2) };
    const sought = weighWords(text('half third fifth tenth rare', weights), []).filter(({ is_sought }) => is_sought);
    expect(sought.map(({ word }) => word)).toEqual(['fifth', 'tenth', 'rare']);
  });
  it('uses only the first words of a long text', () => {
    const long = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
    expect(weighWords(text(long, {}), [])).toHaveLength(32);
  });
});
