import { expect, test } from 'vitest';
import { moveLesson, placeLesson, rearrange } from './outline-order.ts';
import { docOfForm, toFieldIssues, translationOfForm } from './piece-form.ts';

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
const sourceLocale = 'en' as const;

test('keeps languages the form does not show and removes a language whose field is empty', () => {
  const sent = form({ locales: 'en fr', slug: 'one', title_en: ' First ', title_fr: 'Un', body_en: '', minutes: '7' });
  expect(docOfForm(sent, { doc: lesson, sourceLocale })).toEqual({
    ...lesson,
    title: { en: 'First', fr: 'Un', de: 'Eins' },
    minutes: 7,
    mandatory: false,
    body: { de: 'Worte' },
  });
});

test('normalises line ends', () => {
  const sent = form({ locales: 'en', slug: 'one', body_en: 'a\r\nb', mandatory: 'on' });
  expect(docOfForm(sent, { doc: lesson, sourceLocale })).toMatchObject({
    body: { en: 'a\nb', de: 'Worte' },
    mandatory: true,
  });
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
  expect(docOfForm(form(sent), { doc: lesson, sourceLocale })).toMatchObject({ assessment: settings });
  const { assessment: _, ...without } = sent;
  const assessed = { ...lesson, assessment: settings };
  expect(docOfForm(form(without), { doc: assessed, sourceLocale })).toMatchObject({ assessment: null });
  expect(docOfForm(form({ locales: 'en', slug: 'one' }), { doc: assessed, sourceLocale })).toMatchObject({
    assessment: settings,
  });
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

const journey = {
  kind: 'journey',
  slug: 'way',
  title: { en: 'Way' },
  description: {},
  privacy: 'open-public',
  price: null,
  sections: [],
  evaluation: [
    { id: 'one', type: 'scale', text: { en: 'How?', de: 'Wie?' }, options: {} },
    { id: 'two', type: 'single', text: { en: 'Which?' }, options: { en: 'a\nb' } },
  ],
} as const;
const doc = structuredClone(journey) as unknown as Parameters<typeof docOfForm>[1]['doc']; // without `readonly`

test('reads the evaluation of a journey: kept, changed, removed and new questions', () => {
  const sent = {
    locales: 'en fr',
    slug: 'way',
    evaluation_0_id: 'one',
    evaluation_0_type: 'scale',
    evaluation_0_text_en: 'How was it?',
    evaluation_0_text_fr: 'Comment ?',
    evaluation_1_id: 'two',
    evaluation_1_type: 'single',
    evaluation_1_text_en: 'Which?',
    evaluation_1_options_en: 'a\nb\nc',
    evaluation_2_id: '',
    evaluation_2_type: 'text',
    evaluation_2_text_en: '',
  };
  const read = docOfForm(form(sent), { doc, sourceLocale });
  expect(read).toMatchObject({
    evaluation: [
      { id: 'one', text: { en: 'How was it?', fr: 'Comment ?', de: 'Wie?' } },
      { type: 'single', options: { en: 'a\nb\nc' } },
    ],
  });
  // Another number of options makes it another question.
  expect(read).not.toMatchObject({ evaluation: [{}, { id: 'two' }] });
  const cleared = { ...sent, evaluation_0_text_en: '', evaluation_1_options_en: 'a\nb' };
  expect(docOfForm(form(cleared), { doc, sourceLocale })).toMatchObject({ evaluation: [{ id: 'two' }] });
  const at = toFieldIssues([{ path: 'doc.evaluation.1.options', message: '' }], 'en')[0]?.path;
  expect(at).toBe('evaluation_1_options_en');
});

test('reads only the translations of an evaluation from a translator', () => {
  const sent = { locales: 'en fr', evaluation_0_text_en: 'Mine', evaluation_0_text_fr: 'Comment ?' };
  expect(translationOfForm(form(sent), { doc, sourceLocale })).toMatchObject({
    evaluation: [{ id: 'one', text: { en: 'How?', fr: 'Comment ?', de: 'Wie?' } }, { id: 'two' }],
  });
});

const lists = [['a', 'b'], [], ['c']];

test('places a lesson anywhere, also in an empty section', () => {
  expect(placeLesson(lists, 'a', { section: 0, at: 1 })).toEqual([['b', 'a'], [], ['c']]);
  expect(placeLesson(lists, 'b', { section: 1, at: 0 })).toEqual([['a'], ['b'], ['c']]);
  expect(placeLesson(lists, 'a', { section: 2, at: 9 })).toEqual([['b'], [], ['c', 'a']]);
});

test('moves lessons in the page like the buttons that submit the form', () => {
  expect(moveLesson(lists, 'down:b')).toEqual([['a'], ['b'], ['c']]);
  expect(moveLesson(lists, 'out:a')).toEqual([['b'], [], ['c']]);
  expect(moveLesson(lists, 'in:d')).toEqual([['a', 'b'], [], ['c', 'd']]);
});
