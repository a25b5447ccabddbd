import type { Locale } from '@officium/i18n/locales';
import { MAX_SECTIONS, type Doc } from './kinds.ts';

type Section = Extract<Doc, { kind: 'journey' }>['sections'][number];

/** Applies an outline button to a journey: `up:<lesson>`, `down:<lesson>`, `out:<lesson>`, `in:<lesson>`… */
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

/** Moving a lesson past the end of a section puts it into the adjacent one. */
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

/** The lessons of each section with one lesson moved to a place, counted without it. */
export function placeLesson(
  lists: readonly (readonly string[])[],
  lesson: string,
  to: { section: number; at: number },
): string[][] {
  return lists.map((lessons, section) => {
    const others = lessons.filter((each) => each !== lesson);
    return section === to.section ? [...others.slice(0, to.at), lesson, ...others.slice(to.at)] : others;
  });
}

/** Like the outline buttons `up`, `down`, `in` and `out`, for lists of lessons. */
export function moveLesson(lists: readonly (readonly string[])[], intent: string): string[][] {
  const sections = lists.map((lessons) => ({ heading: {}, lessons: [...lessons] }));
  return (rearrange(sections, intent, 'en', '') ?? sections).map(({ lessons }) => lessons);
}
