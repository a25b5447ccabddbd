/** Cache of the lessons saved on this device, changed only by sw.ts. */
export const CACHE = 'officium-kept-1';
export const CACHES = 'officium-kept-';
/** Cache key of the list of saved lessons. */
export const LIST = '/offline/kept.json';
export const SHELL = '/offline';
export const MAX_LESSONS = 50;
/** A lesson saved more recently is not fetched again. */
export const FRESH_MS = 60 * 60 * 1000;

export type SavedLesson = {
  /** Address and language, also the key of its copy. */
  key: string;
  title: string;
  lang: string;
  /** Addresses its copy needs: styles, fonts, images. */
  files: string[];
  keptAt: number;
  /** Last check on the server that the lesson still exists; absent until the first one. */
  askedAt?: number;
};

export type SavedState = {
  /** Id of the user who saved the lessons; empty for visitors. */
  person: string;
  /** Whose notifications this browser shows; absent for nobody's. */
  shows?: string;
  /** The offline page: its release, with the language, and the files it needs. */
  shell: { release: string; files: string[] };
  /** Last opened first. */
  lessons: SavedLesson[];
};

/** Messages from pages to the worker; `files` are fonts in use. */
export type WorkerMessage =
  | { kind: 'list' }
  | { kind: 'here'; person: string; locale: string; release: string; files: string[] }
  | { kind: 'keep'; person: string; url: string; title: string; lang: string; files: string[] }
  | { kind: 'drop'; key: string }
  | { kind: 'shows'; person: string };

/** Replies of the worker: success, or the requested list. */
export type WorkerReply<T extends WorkerMessage> = T extends { kind: 'list' } ? SavedLesson[] : boolean;

export const NOTHING: SavedState = { person: '', shell: { release: '', files: [] }, lessons: [] };

/**
 * Whether the status means that the lesson was withdrawn or is closed to this viewer. Not 401: a session that ran out
 * keeps the copies for the next one.
 */
export function isGone({ status }: { status: number }): boolean {
  return status === 403 || status === 404 || status === 410;
}

/** Lessons whose existence has not been checked for a while. */
export function dueForCheck(lessons: SavedLesson[], now: number): SavedLesson[] {
  return lessons.filter(({ keptAt, askedAt = keptAt }) => now - askedAt >= FRESH_MS);
}

/** The key of a lesson: its path and chosen language. */
export function lessonKey(url: URL): string | undefined {
  if (!/^\/courses\/[^/]+\/[^/]+\/[^/]+$/.test(url.pathname)) return undefined;
  const lang = url.searchParams.get('lang');
  return lang ? `${url.pathname}?lang=${encodeURIComponent(lang)}` : url.pathname;
}

/** The saved copy for an address: in the requested language, else in any. */
export function lessonAt(lessons: SavedLesson[], url: URL): SavedLesson | undefined {
  const key = lessonKey(url);
  return (
    lessons.find((lesson) => lesson.key === key) ?? lessons.find((lesson) => lesson.key.split('?')[0] === url.pathname)
  );
}

/** Adds a lesson at the top; beyond the limit, the least recently opened are dropped. */
export function withLesson(lessons: SavedLesson[], lesson: SavedLesson): SavedLesson[] {
  return [lesson, ...lessons.filter(({ key }) => key !== lesson.key)].slice(0, MAX_LESSONS);
}

/** Keys of everything the cache may contain. */
export function entriesOf({ shell, lessons }: SavedState): Set<string> {
  return new Set([LIST, SHELL, ...shell.files, ...lessons.flatMap(({ key, files }) => [key, ...files])]);
}
