import type { Piece } from '@officium/contract/authoring';
import { isLocale, type Locale } from '@officium/i18n/locales';
import { textOf } from '../../form/fields.ts';
import type { Issue } from '../../form/state.ts';
import { MAX_SECTIONS, TEXTS, type Doc, type TextName } from './kinds.ts';

type Texts = Partial<Record<Locale, string>>;
type Section = Extract<Doc, { kind: 'journey' }>['sections'][number];

/** What is in a field as it was typed, in the line ends of the product. */
const typed = (fields: FormData, name: string) => textOf(fields, name).replace(/\r\n?/g, '\n');

/** The map with the languages the form had; an empty field takes its language away. */
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

/** The piece as the form says; what the form did not show stays as it is. */
export function docOfForm(fields: FormData, piece: Pick<Piece, 'doc'>): Doc {
  const shown = String(fields.get('locales') ?? '')
    .split(' ')
    .filter(isLocale);
  const doc = structuredClone(piece.doc) as Doc & Record<string, unknown>; // names are taken from its own kind below
  doc.slug = textOf(fields, 'slug').trim();
  for (const name of Object.keys(TEXTS[doc.kind]) as TextName[])
    // the keys of that table
    doc[name] = merge(fields, name, (doc[name] ?? {}) as Texts, shown); // texts all of them
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
  if (doc.kind === 'academy') doc.courses = fields.getAll('course').map(String);
  if ('cover' in doc) {
    if (fields.has('no_cover')) doc.cover = null;
    doc.coverAlt = merge(fields, 'coverAlt', doc.coverAlt as Texts, shown);
  }
  if (doc.kind === 'journey') doc.sections = sectionsOf(fields, doc.sections, shown);
  return doc;
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

/** Does in the outline of a journey what a button says: `up:<lesson>`, `down:<lesson>`, `out:<lesson>`, `in:<lesson>`… */
export function rearrange(
  sections: readonly Section[],
  intent: string,
  source: Locale,
  newHeading: string,
): Section[] | undefined {
  const [verb = '', what = ''] = intent.split(':', 2);
  const next = sections.map((section) => ({ ...section, lessons: [...section.lessons] }));
  const at = Number(what);
  const from = next.findIndex((section) => section.lessons.includes(what));
  const own = next[from];
  switch (verb) {
    case 'section-add':
      return next.length < MAX_SECTIONS ? [...next, { heading: { [source]: newHeading }, lessons: [] }] : next;
    case 'section-remove':
      return next.filter((section, index) => index !== at || section.lessons.length > 0);
    case 'section-up':
      return swap(next, at, at - 1);
    case 'section-down':
      return swap(next, at, at + 1);
    case 'in':
      next.at(-1)?.lessons.push(what);
      return next;
    case 'out':
      if (own) own.lessons = own.lessons.filter((lesson) => lesson !== what);
      return next;
    case 'up':
    case 'down':
      if (own) own.lessons = moved(next, from, what, verb === 'up' ? -1 : 1);
      return next;
    default:
      return undefined;
  }
}

/** Past the first or last place of a section, a lesson goes into the one beside it. */
function moved(sections: Section[], from: number, lesson: string, step: -1 | 1): string[] {
  const lessons = sections[from]?.lessons ?? [];
  const at = lessons.indexOf(lesson);
  if (at + step >= 0 && at + step < lessons.length) return swap(lessons, at, at + step);
  const beside = sections[from + step];
  if (!beside) return lessons;
  if (step === 1) beside.lessons.unshift(lesson);
  else beside.lessons.push(lesson);
  return lessons.filter((each) => each !== lesson);
}

function swap<T>(items: readonly T[], one: number, other: number): T[] {
  const next = [...items];
  const [a, b] = [next[one], next[other]];
  if (a === undefined || b === undefined) return next;
  next[one] = b;
  next[other] = a;
  return next;
}

/** What the API said of `doc.sections.0.heading.en`, said of the field `heading_0_en`. */
export function toFieldIssues(issues: readonly Issue[], source: string): Issue[] {
  return issues.map(({ path, message }) => {
    const [first = '', ...rest] = path.replace(/^doc\./, '').split('.');
    if (first === 'sections') return { path: `heading_${rest[0] ?? 0}_${rest[2] ?? source}`, message };
    if (first === 'title' && rest.length === 0) return { path: `title_${source}`, message };
    return { path: [first, ...rest].join('_'), message };
  });
}
