import { expect, it } from 'vitest';
import { placeFinder, toAnswer } from './assistant.load.ts';
import { placesOf } from './passages.ts';

const PATH = '/courses/letters/basics/dates';
const find = placeFinder(PATH, placesOf('<p id="p-1">Write a full date.</p>'), 'fr');
const here = (quote: string) => ({ title: 'Dates', url: `https://learn.example${PATH}#p-1`, quote });

it('separates sentences from their passage numbers', () => {
  const content = 'Give the date [sic] in full. [1][2] After that, wait. [2]';
  const references = [
    here('Write a full date.'),
    { title: 'Stamps', url: 'https://learn.example/courses/letters/basics/stamps#p-3', quote: 'Glue it.' },
  ];
  expect(toAnswer({ content, references, madeBy: 'model' }, find)).toEqual({
    sentences: [
      { text: 'Give the date [sic] in full.', numbers: [1, 2] },
      { text: 'After that, wait.', numbers: [2] },
    ],
    passages: [
      { text: 'Write a full date.', place: { anchor: 'p-1' } },
      { text: 'Glue it.', place: { href: '/courses/letters/basics/stamps?lang=fr#p-3', title: 'Stamps' } },
    ],
    isFallback: false,
  });
});

it('shows an answer that is passages only, without a place when the lesson no longer contains them', () => {
  const content = 'Write a full date.\n\nWrite a short date.';
  const references = [here('Write a full date.'), here('Write a short date.')];
  const passages = [
    { text: 'Write a full date.', place: { anchor: 'p-1' } },
    { text: 'Write a short date.', place: undefined },
  ];
  expect(toAnswer({ content, references, madeBy: 'fallback' }, find)).toEqual({
    passages,
    sentences: [],
    isFallback: true,
  });
  expect(toAnswer({ content, references: [], madeBy: null }, find).passages).toEqual(passages);
});

it('shows that there is no answer', () => {
  expect(toAnswer({ content: 'Nothing does.', references: [], madeBy: 'model' }, find)).toEqual({
    passages: [{ text: 'Nothing does.', place: undefined }],
    sentences: [],
    isFallback: false,
  });
});
