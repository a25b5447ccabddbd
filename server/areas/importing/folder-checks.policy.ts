import { EDITORIAL_PARTS } from '@officium/contract/editorials';
import type { z } from 'zod';
import { inputMessage } from '#server/text/input-message.ts';
import { ContentFile, EDITORIAL_LISTS } from './folder.format.ts';
import { type FieldPath, fieldName, type YamlSource } from './yaml-source.format.ts';

export type ReportFault = (path: FieldPath, message: string) => void;
/** A body or cover named in the file, collected even if other parts of the file are invalid. */
export type FileReference = { path: FieldPath; file: string };

const KINDS = ['academies', 'courses', 'microcourses', 'communities', ...EDITORIAL_LISTS.map(([, name]) => name)];

/** Validates the shape of `content.yaml`. Returns it with defaults when it is valid. */
export function checkShape(source: YamlSource, fault: ReportFault): ContentFile | undefined {
  const result = ContentFile.safeParse(source.value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) fault([...issue.path, key], 'Unknown field');
    else fault(issue.path, messageOf(issue, fieldName(issue.path)));
  }
  return undefined;
}

function messageOf(issue: z.core.$ZodIssue, field: string): string {
  if (issue.code !== 'invalid_type') return inputMessage(issue, field);
  const expected = issue.expected === 'record' ? 'a map of locale to text' : issue.expected;
  return issue.message.endsWith('received undefined') ? `Required (${expected})` : `Must be ${expected}`;
}

/** Checks what a schema cannot: duplicate slugs and ids, and academies that name unknown courses. */
export function checkReferences(
  value: unknown,
  knownCourses: ReadonlySet<string>,
  fault: ReportFault,
  warn: ReportFault,
): void {
  const ids = new Map<string, string>();
  for (const kind of KINDS) {
    const items = list(value, kind);
    checkUnique(items, [kind], fault);
    for (const [index, item] of items.entries()) {
      const id = text(item, 'id') ?? text(item, 'slug');
      const other = id === undefined ? undefined : ids.get(id);
      if (other !== undefined && !other.startsWith(kind))
        warn([kind, index], `Has the same id as ${other}: give one of them an id of its own`);
      else if (id !== undefined) ids.set(id, fieldName([kind, index]));
    }
  }
  for (const [c, course] of list(value, 'courses').entries()) {
    checkUnique(list(course, 'journeys'), ['courses', c, 'journeys'], fault);
    for (const [j, journey] of list(course, 'journeys').entries()) {
      const seen = { slug: new Map<string, string>(), id: new Map<string, string>() };
      for (const [s, section] of list(journey, 'sections').entries())
        checkUnique(list(section, 'lessons'), ['courses', c, 'journeys', j, 'sections', s, 'lessons'], fault, seen);
    }
  }
  const courses = new Set(list(value, 'courses').map((course) => text(course, 'slug')));
  for (const [a, academy] of list(value, 'academies').entries())
    for (const [index, slug] of list(academy, 'courses').entries())
      if (typeof slug === 'string' && !courses.has(slug) && !knownCourses.has(slug))
        fault(['academies', a, 'courses', index], `No course has the slug ${slug}`);
}

type Seen = { slug: Map<string, string>; id: Map<string, string> };

function checkUnique(
  items: unknown[],
  path: FieldPath,
  fault: ReportFault,
  seen: Seen = { slug: new Map(), id: new Map() },
) {
  for (const [index, item] of items.entries()) {
    const slug = text(item, 'slug');
    const values = { slug, id: text(item, 'id') ?? slug };
    const at = [...path, index];
    for (const key of ['slug', 'id'] as const) {
      const value = values[key];
      if (value === undefined) continue;
      const first = seen[key].get(value);
      if (first === undefined) seen[key].set(value, fieldName(at));
      // A duplicate slug usually duplicates the id as well; report it once.
      else if (key === 'slug' || values.slug === undefined || seen.slug.get(values.slug) === fieldName(at))
        fault([...at, key], `The ${key} ${value} is already used by ${first}`);
    }
  }
}

export function bodyReferences(value: unknown): FileReference[] {
  const found: FileReference[] = [];
  const add = (item: unknown, path: FieldPath, name: 'body' | 'questions' = 'body') => {
    const body = field(item, name);
    if (typeof body !== 'object' || body === null) return;
    for (const [locale, file] of Object.entries(body))
      if (typeof file === 'string' && file.trim() !== '')
        found.push({ path: [...path, name, locale], file: file.trim() });
  };
  for (const [c, course] of list(value, 'courses').entries()) {
    add(course, ['courses', c], 'questions');
    for (const [j, journey] of list(course, 'journeys').entries())
      for (const [s, section] of list(journey, 'sections').entries())
        for (const [l, lesson] of list(section, 'lessons').entries())
          add(lesson, ['courses', c, 'journeys', j, 'sections', s, 'lessons', l]);
  }
  for (const [m, microcourse] of list(value, 'microcourses').entries()) add(microcourse, ['microcourses', m]);
  return found;
}

export function coverReferences(value: unknown): FileReference[] {
  return KINDS.flatMap((kind) =>
    list(value, kind).flatMap((item, index) => {
      const file = text(item, 'cover');
      return file === undefined ? [] : [{ path: [kind, index, 'cover'], file }];
    }),
  );
}

/** Markdown texts that stand in the file itself. */
export function inlineTexts(value: unknown): { path: FieldPath; text: string }[] {
  return EDITORIAL_LISTS.flatMap(([kind, name]) =>
    list(value, name).flatMap((item, index) =>
      EDITORIAL_PARTS[kind].flatMap((part) => {
        const texts = field(item, part);
        if (typeof texts !== 'object' || texts === null) return [];
        return Object.entries(texts).flatMap(([locale, given]) =>
          typeof given === 'string' ? [{ path: [name, index, part, locale], text: given }] : [],
        );
      }),
    ),
  );
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key] // an object that has the key
    : undefined;
}

function list(value: unknown, key: string): unknown[] {
  const items = field(value, key);
  return Array.isArray(items) ? items : [];
}

function text(value: unknown, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === 'string' ? found : undefined;
}
