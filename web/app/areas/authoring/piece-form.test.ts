import { expect, test } from 'vitest';
import { docOfForm, rearrange, toFieldIssues } from './piece-form.ts';

const form = (values: Record<string, string>) => {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
};
const lesson = {
  kind: 'lesson',
  slug: 'one',
  title: { en: 'One', de: 'Eins' },
  minutes: 5,
  mandatory: true,
  discussion: {},
  assessment: null,
  body: { en: 'Text', de: 'Worte' },
} as const;

test('keeps languages the form does not show and removes a language whose field is empty', () => {
  const sent = form({ locales: 'en fr', slug: 'one', title_en: ' First ', title_fr: 'Un', body_en: '', minutes: '7' });
  expect(docOfForm(sent, { doc: lesson })).toEqual({
    ...lesson,
    title: { en: 'First', fr: 'Un', de: 'Eins' },
    minutes: 7,
    mandatory: false,
    body: { de: 'Worte' },
  });
});

test('normalises line ends', () => {
  const sent = form({ locales: 'en', slug: 'one', body_en: 'a\r\nb', mandatory: 'on' });
  expect(docOfForm(sent, { doc: lesson })).toMatchObject({ body: { en: 'a\nb', de: 'Worte' }, mandatory: true });
});

test('reads the settings of an assessment while its checkbox is ticked', () => {
  const sent = {
    locales: 'en',
    slug: 'one',
    assessment: 'on',
    assessment_passMark: '70',
    assessment_attempts: '3',
    assessment_minutes: '',
    assessment_draw: '',
    assessment_shuffle: 'on',
    assessment_review: 'answers',
  };
  const settings = { passMark: 70, attempts: 3, minutes: null, draw: null, shuffle: true, review: 'answers' } as const;
  expect(docOfForm(form(sent), { doc: lesson })).toMatchObject({ assessment: settings });
  const { assessment: _, ...without } = sent;
  const assessed = { ...lesson, assessment: settings };
  expect(docOfForm(form(without), { doc: assessed })).toMatchObject({ assessment: null });
  expect(docOfForm(form({ locales: 'en', slug: 'one' }), { doc: assessed })).toMatchObject({ assessment: settings });
  expect(toFieldIssues([{ path: 'doc.assessment.passMark', message: 'x' }], 'en')).toEqual([
    { path: 'assessment_passMark', message: 'x' },
  ]);
});

const sections = [
  { heading: { en: 'A' }, lessons: ['1', '2'] },
  { heading: { en: 'B' }, lessons: ['3'] },
];
const order = (intent: string) => rearrange(sections, intent, 'en', 'New')?.map((section) => section.lessons.join(''));

test('moves lessons within their section and into the adjacent one', () => {
  expect(order('down:1')).toEqual(['21', '3']);
  expect(order('down:2')).toEqual(['1', '23']);
  expect(order('up:3')).toEqual(['123', '']);
  expect(order('up:1')).toEqual(['12', '3']);
});

test('moves, adds and removes sections, and takes lessons out and puts them back', () => {
  expect(order('section-down:0')).toEqual(['3', '12']);
  expect(order('section-add:')).toEqual(['12', '3', '']);
  expect(order('section-remove:0')).toEqual(['12', '3']);
  expect(order('out:3')).toEqual(['12', '']);
  expect(order('in:4')).toEqual(['12', '34']);
  expect(order('save')).toBeUndefined();
});

test('reports each issue at its field', () => {
  const at = (path: string) => toFieldIssues([{ path, message: '' }], 'en')[0]?.path;
  expect(['doc.title', 'doc.title.fr', 'doc.slug', 'doc.sections.1.heading.fr'].map(at)).toEqual([
    'title_en',
    'title_fr',
    'slug',
    'heading_1_fr',
  ]);
});
