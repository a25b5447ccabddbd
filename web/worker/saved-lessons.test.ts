import { expect, it } from 'vitest';
import {
  entriesOf,
  FRESH_MS,
  isGone,
  lessonAt,
  lessonKey,
  MAX_LESSONS,
  NOTHING,
  dueForCheck,
  withLesson,
  type SavedLesson,
} from './saved-lessons.ts';

const at = (address: string) => new URL(address, 'https://learn.example');
const lesson = (key: string, files: string[] = []): SavedLesson => ({ key, title: key, lang: 'en', files, keptAt: 0 });

it('tells lessons from other pages, by path and language', () => {
  expect(lessonKey(at('/courses/a/b/c?from=10&lang=fr#discussion'))).toBe('/courses/a/b/c?lang=fr');
  expect(lessonKey(at('/courses/a/b/c?questions=all'))).toBe('/courses/a/b/c');
  for (const path of ['/', '/courses', '/courses/a', '/courses/a/b', '/courses/a/b/c/d', '/me/learning', '/api/a/b/c'])
    expect([path, lessonKey(at(path))]).toEqual([path, undefined]);
});

it('returns the copy in the requested language, else in any', () => {
  const lessons = [lesson('/courses/a/b/c?lang=fr'), lesson('/courses/a/b/c'), lesson('/courses/a/b/d?lang=fr')];
  expect(lessonAt(lessons, at('/courses/a/b/c'))).toBe(lessons[1]);
  expect(lessonAt(lessons, at('/courses/a/b/c?lang=fr&from=5'))).toBe(lessons[0]);
  expect(lessonAt(lessons, at('/courses/a/b/d'))).toBe(lessons[2]);
  expect(lessonAt(lessons, at('/courses/a/b/e'))).toBeUndefined();
});

it('keeps the most recently opened, each once, up to the limit', () => {
  let lessons: SavedLesson[] = [];
  for (let number = 0; number < MAX_LESSONS + 5; number += 1) lessons = withLesson(lessons, lesson(`/${number}`));
  lessons = withLesson(lessons, lesson('/20'));
  expect(lessons).toHaveLength(MAX_LESSONS);
  expect(lessons.slice(0, 2).map(({ key }) => key)).toEqual(['/20', `/${MAX_LESSONS + 4}`]);
  expect(lessons.filter(({ key }) => key === '/20')).toHaveLength(1);
  expect(lessons.some(({ key }) => key === '/4')).toBe(false);
});

it('lists everything the cache may contain: the list, the offline page, lessons and their files', () => {
  const state = {
    ...NOTHING,
    shell: { release: '1', files: ['/a.css'] },
    lessons: [lesson('/x', ['/a.css', '/b.png'])],
  };
  expect([...entriesOf(state)].sort()).toEqual(['/a.css', '/b.png', '/offline', '/offline/kept.json', '/x']);
});

it('checks periodically whether lessons still exist and recognises that they do not', () => {
  const lessons = [
    { ...lesson('/old'), keptAt: 0 },
    { ...lesson('/asked'), askedAt: 10 },
    { ...lesson('/new'), keptAt: 20 },
  ];
  expect(dueForCheck(lessons, FRESH_MS + 5).map(({ key }) => key)).toEqual(['/old']);
  expect([200, 301, 403, 404, 410, 500, 503].filter((status) => isGone({ status }))).toEqual([403, 404, 410]);
});
