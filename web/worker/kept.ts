/** What this device keeps for reading without a network: one cache, changed only by sw.ts. */
export const CACHE = 'officium-kept-1';
export const CACHES = 'officium-kept-';
/** Where in the cache the list of what it holds stands. */
export const LIST = '/offline/kept.json';
export const SHELL = '/offline';
export const MAX_LESSONS = 50;
/** A lesson kept less than this ago is not fetched again. */
export const FRESH_MS = 60 * 60 * 1000;

export type KeptLesson = {
  /** Its address and language, and the key of its copy. */
  key: string;
  title: string;
  lang: string;
  /** Addresses of what its copy needs: styles, fonts, images. */
  files: string[];
  keptAt: number;
  /** When the server was last asked whether the lesson is still there; absent until then. */
  askedAt?: number;
};

export type Kept = {
  /** Id of whose lessons they are; empty for somebody who is not signed in. */
  person: string;
  /** The page shown where nothing is kept: of which release and language, and what it needs. */
  shell: { release: string; files: string[] };
  /** Last opened first. */
  lessons: KeptLesson[];
};

/** What a page tells the worker; `files` are fonts it has used. */
export type Told =
  | { kind: 'list' }
  | { kind: 'here'; person: string; locale: string; release: string; files: string[] }
  | { kind: 'keep'; person: string; url: string; title: string; lang: string; files: string[] }
  | { kind: 'drop'; key: string };

/** What the worker answers: whether it was done, or what was asked for. */
export type Answer<T extends Told> = T extends { kind: 'list' } ? KeptLesson[] : boolean;

export const NOTHING: Kept = { person: '', shell: { release: '', files: [] }, lessons: [] };

/** What the server answers for a lesson that was withdrawn, or is nothing for this reader any more. */
export function isGone({ status }: { status: number }): boolean {
  return status === 403 || status === 404 || status === 410;
}

/** The lessons of which nobody has asked for a while whether they are still there. */
export function unasked(lessons: KeptLesson[], now: number): KeptLesson[] {
  return lessons.filter(({ keptAt, askedAt = keptAt }) => now - askedAt >= FRESH_MS);
}

/** The key of a lesson: its path and the language chosen for it. */
export function lessonKey(url: URL): string | undefined {
  if (!/^\/courses\/[^/]+\/[^/]+\/[^/]+$/.test(url.pathname)) return undefined;
  const lang = url.searchParams.get('lang');
  return lang ? `${url.pathname}?lang=${encodeURIComponent(lang)}` : url.pathname;
}

/** The copy to show at an address: the one in the language asked for, else in any. */
export function lessonAt(lessons: KeptLesson[], url: URL): KeptLesson | undefined {
  const key = lessonKey(url);
  return (
    lessons.find((lesson) => lesson.key === key) ?? lessons.find((lesson) => lesson.key.split('?')[0] === url.pathname)
  );
}

/** Puts a lesson first; beyond the bound, those not opened for longest go. */
export function withLesson(lessons: KeptLesson[], lesson: KeptLesson): KeptLesson[] {
  return [lesson, ...lessons.filter(({ key }) => key !== lesson.key)].slice(0, MAX_LESSONS);
}

/** Everything the cache may hold. */
export function entriesOf({ shell, lessons }: Kept): Set<string> {
  return new Set([LIST, SHELL, ...shell.files, ...lessons.flatMap(({ key, files }) => [key, ...files])]);
}
