import { cutAtWord, toAscii } from '#server/text/slug.ts';

/** Path parameters accept 256 characters; the number and its hyphen need up to eleven. */
const MAX_BASE = 240;

/** The readable part of an article's slug: the title in lower-case ASCII letters and digits, words joined by hyphens. */
export function slugBase(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '');
  const base = toAscii(words)
    .toLowerCase()
    .replace(/[^a-z0-9\s_-]/g, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
  return cutAtWord(base, MAX_BASE) || 'article';
}

const TRIES = 12;

/** Yields slugs to try in turn: the title and a number up to 1000, later a longer number. */
export function* slugCandidates(title: string, random: () => number = Math.random): Generator<string> {
  const base = slugBase(title);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const largest = attempt < TRIES / 2 ? 1000 : 1_000_000_000;
    yield `${base}-${1 + Math.floor(random() * largest)}`;
  }
}
