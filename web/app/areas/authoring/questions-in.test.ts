import { expect, it } from 'vitest';
import { questionsIn } from './questions-in.ts';

it('lists questions in their order, with type, tags and points', () => {
  const text = [
    '## For authors\n',
    ':::quiz{#one tags="law, style,law" points=3}\nIs *this* short?\n\n- [x] Yes\n- [ ] No\n:::\n',
    '::::callout\n:::quiz[Named]{type=true-false answer=true}\n:::\n::::\n',
    ':::quiz{type=open words=40}\nWhy?\n\n- [2] A reason\n- [1] An example\n:::\n',
    ':::quiz{type=nothing}\nWhat?\n:::\n',
    '```\n:::quiz\nNo question\n:::\n```\n',
  ].join('\n');
  expect(questionsIn(text)).toEqual([
    { text: 'Is this short?', type: 'choice', tags: ['law', 'style'], points: 3 },
    { text: 'Named', type: 'true-false', tags: [], points: 1 },
    { text: 'Why?', type: 'open', tags: [], points: 3 },
    { text: 'What?', type: undefined, tags: [], points: 1 },
  ]);
});

it('finds none in a text without questions', () => {
  expect(questionsIn('')).toEqual([]);
  expect(questionsIn(':::quiz{tags=}\nNo block\n:::\n')).toEqual([]);
});
