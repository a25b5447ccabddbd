/** The readable part of an article's address: the title in lower case, its words joined by hyphens, punctuation removed. */
export function slugBase(title: string): string {
  const base = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
  return base || 'article';
}

const TRIES = 12;

/** Addresses to try one after another: a number from 1 to 1000 behind the title, and a longer one when those are taken. */
export function* slugCandidates(title: string, random: () => number = Math.random): Generator<string> {
  const base = slugBase(title);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const largest = attempt < TRIES / 2 ? 1000 : 1_000_000_000;
    yield `${base}-${1 + Math.floor(random() * largest)}`;
  }
}
