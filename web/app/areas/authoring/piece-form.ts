import type { Piece } from '@officium/contract/authoring';
import { isLocale, type Locale } from '@officium/i18n/locales';
import { textOf } from '../../form/fields.ts';
import type { Issue } from '../../form/state.ts';
import { evaluationOf, translatedEvaluation } from './evaluation-form.ts';
import { contactsOfForm, topicsOfForm } from './piece-contacts.ts';
import { REVIEWS, TEXTS, type Doc, type TextName } from './kinds.ts';

type Texts = Partial<Record<Locale, string>>;
type Section = Extract<Doc, { kind: 'journey' }>['sections'][number];

/** The value of a field with normalised line ends. */
const typed = (fields: FormData, name: string) => textOf(fields, name).replace(/\r\n?/g, '\n');

/** Merges the submitted languages into the texts; an empty field removes its language. */
function merge(fields: FormData, name: string, before: Texts, shown: readonly Locale[]): Texts {
  const texts = { ...before };
  for (const locale of shown) {
    if (!fields.has(`${name}_${locale}`)) continue;
    const text = typed(fields, `${name}_${locale}`);
    if (text.trim() === '') delete texts[locale];
    else texts[locale] = name === 'body' ? text : text.trim();
  }
  return texts;
}

/** The piece with the submitted values; whatever the form did not show stays unchanged. */
export function docOfForm(fields: FormData, piece: Pick<Piece, 'doc' | 'capabilities' | 'sourceLocale'>): Doc {
  const shown = shownIn(fields);
  const doc = structuredClone(piece.doc) as Doc & Record<string, unknown>; // names come from the kind's own table below
  doc.slug = textOf(fields, 'slug').trim();
  for (const name of Object.keys(TEXTS[doc.kind]) as TextName[])
    // keys of that table
    doc[name] = merge(fields, name, (doc[name] ?? {}) as Texts, shown); // all of them are texts
  if ('minutes' in doc) doc.minutes = Number(textOf(fields, 'minutes') || 0);
  if ('mandatory' in doc) doc.mandatory = fields.has('mandatory');
  if ('humanTranslation' in doc) doc.humanTranslation = fields.has('humanTranslation');
  for (const name of ['type', 'privacy', 'locale'])
    if (name in doc && fields.has(name)) doc[name] = textOf(fields, name);
  if ('categories' in doc)
    doc.categories = textOf(fields, 'categories')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
  if (doc.kind === 'event') Object.assign(doc, scheduleOf(fields));
  if ('items' in doc && fields.has('items')) doc.items = linesOf(textOf(fields, 'items'));
  if (doc.kind === 'academy' && !piece.capabilities) doc.courses = fields.getAll('course').map(String);
  if ('topics' in doc) doc.topics = topicsOfForm(fields);
  if (doc.kind === 'course') doc.contacts = contactsOfForm(fields, doc.contacts, shown);
  if ('cover' in doc) {
    if (fields.has('no_cover')) doc.cover = null;
    doc.coverAlt = merge(fields, 'coverAlt', doc.coverAlt as Texts, shown);
  }
  if (doc.kind === 'lesson' && fields.has('assessment_review')) doc.assessment = assessmentOf(fields);
  if (doc.kind === 'journey' && fields.has('price')) doc.price = textOf(fields, 'price').trim() || null;
  if (doc.kind === 'journey' && fields.has('certificateMonths'))
    doc.certificateMonths = numberOrNull(textOf(fields, 'certificateMonths'));
  if (doc.kind === 'journey') doc.sections = sectionsOf(fields, doc.sections, shown);
  if (doc.kind === 'journey' && fields.has('evaluation_0_type'))
    doc.evaluation = evaluationOf(fields, doc.evaluation, piece.sourceLocale, (name, before) =>
      merge(fields, name, before, shown),
    );
  return doc;
}

/** The API refuses anything but a number. */
const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text));

const shownIn = (fields: FormData): Locale[] =>
  String(fields.get('locales') ?? '')
    .split(' ')
    .filter(isLocale);

/** The piece with the submitted translations; everything else stays unchanged. */
export function translationOfForm(fields: FormData, piece: Pick<Piece, 'doc' | 'sourceLocale'>): Doc {
  const shown = shownIn(fields).filter((locale) => locale !== piece.sourceLocale);
  const doc = structuredClone(piece.doc) as Doc & Record<string, unknown>; // as above
  const merged = (name: string, before: Texts) => merge(fields, name, before, shown);
  for (const name of Object.keys(TEXTS[doc.kind]) as TextName[])
    // keys of that table
    doc[name] = merged(name, (doc[name] ?? {}) as Texts); // all of them are texts
  if ('cover' in doc) doc.coverAlt = merged('coverAlt', doc.coverAlt as Texts); // likewise
  if (doc.kind === 'journey')
    doc.sections = doc.sections.map((section, at) => ({
      ...section,
      heading: merged(`heading_${at}`, section.heading),
    }));
  if (doc.kind === 'journey') doc.evaluation = translatedEvaluation(doc.evaluation, merged);
  if (doc.kind === 'course')
    doc.contacts = doc.contacts.map((contact, at) => ({
      ...contact,
      role: merged(`contacts_${at}_role`, contact.role),
    }));
  return doc;
}

type Schedule = Pick<Extract<Doc, { kind: 'event' }>, (typeof SCHEDULE)[number] | 'timeZone' | 'capacity'>;
const SCHEDULE = ['starts', 'ends', 'recurrence', 'place', 'link', 'recording', 'community', 'course'] as const;

/** The schedule of an event; an empty field is none. Browsers may send seconds, which the API does not take. */
function scheduleOf(fields: FormData): Schedule {
  const one = (name: string) => textOf(fields, name).trim() || null;
  const texts = Object.fromEntries(SCHEDULE.map((name) => [name, one(name)])) as Omit<
    Schedule,
    'timeZone' | 'capacity'
  >; // those names
  const minutes = (value: string | null) => value && value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):00(?:\.0+)?$/, '$1');
  const capacity = one('capacity');
  return {
    ...texts,
    starts: minutes(texts.starts),
    ends: minutes(texts.ends),
    timeZone: one('timeZone') ?? 'UTC',
    capacity: capacity === null ? null : Number(capacity),
  };
}

/** The settings of an assessment; without its checkbox, none. */
function assessmentOf(fields: FormData): Extract<Doc, { kind: 'lesson' }>['assessment'] {
  if (!fields.has('assessment')) return null;
  const number = (name: string) => {
    const value = textOf(fields, `assessment_${name}`).trim();
    return value === '' ? null : Number(value);
  };
  return {
    passMark: number('passMark') ?? 0,
    attempts: number('attempts'),
    minutes: number('minutes'),
    draw: number('draw'),
    ...drawTagsOf(textOf(fields, 'assessment_drawTags')),
    ...(fields.has('assessment_bank') ? { bank: true } : {}),
    shuffle: fields.has('assessment_shuffle'),
    review: REVIEWS.find((review) => review === textOf(fields, 'assessment_review')) ?? 'result',
  };
}

/** One tag a line, as `tag: number`. The API refuses a line without a number. */
function drawTagsOf(text: string): { drawTags?: { tag: string; count: number }[] } {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const drawTags = lines.map((line) => {
    const [, tag = line, count = ''] = /^(.*?)[:：]\s*(\d{1,4})\s*$/.exec(line) ?? [];
    return { tag: tag.trim(), count: Number(count) };
  });
  return drawTags.length === 0 ? {} : { drawTags };
}

/** One address a line, with or without the part before its path. */
function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) =>
      line
        .trim()
        .replace(/^https?:\/\/[^/]+/, '')
        .replace(/[?#].*$/, '')
        .replace(/^\/+|\/+$/g, ''),
    )
    .filter(Boolean);
}

function sectionsOf(fields: FormData, before: readonly Section[], shown: readonly Locale[]): Section[] {
  const sections: Section[] = [];
  for (let at = 0; fields.has(`section_${at}`); at++)
    sections.push({
      heading: merge(fields, `heading_${at}`, before[at]?.heading ?? {}, shown),
      lessons: textOf(fields, `section_${at}`).split(' ').filter(Boolean),
    });
  return sections;
}

/** Maps API issues to form fields: `doc.sections.0.heading.en` becomes `heading_0_en`. */
export function toFieldIssues(issues: readonly Issue[], source: string): Issue[] {
  return issues.map(({ path, message }) => {
    const [first = '', ...rest] = path.replace(/^doc\./, '').split('.');
    if (first === 'sections') return { path: `heading_${rest[0] ?? 0}_${rest[2] ?? source}`, message };
    if (first === 'evaluation')
      return { path: `evaluation_${rest[0] ?? 0}_${rest[1] ?? 'text'}_${rest[2] ?? source}`, message };
    if (first === 'assessment') return { path: `assessment_${rest[0] ?? ''}`, message };
    if (first === 'items') return { path: 'items', message };
    if (first === 'title' && rest.length === 0) return { path: `title_${source}`, message };
    return { path: [first, ...rest].join('_'), message };
  });
}
